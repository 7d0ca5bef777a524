"""Opens files in Blender and writes down what is there: the script of blender.long.test.ts.

After `--`: a JSON file with {framesPerSecond, files: [{path, frames: [timeline frame, ...]}]}, and the file to write.
Positions are those of evaluated meshes in Blender's world space, as base64 of 32-bit numbers, one text per frame.
"""
import base64
import json
import sys

import bpy
import numpy

# the importer in Debian's package asks for a name that numpy 1.24 no longer has
numpy.bool = bool


def open_file(path):
    if path.endswith(".glb"):
        bpy.ops.import_scene.gltf(filepath=path)
    elif path.endswith(".obj"):
        bpy.ops.wm.obj_import(filepath=path)
    elif bpy.app.version >= (4, 0, 0):
        bpy.ops.wm.ply_import(filepath=path)
    else:
        bpy.ops.import_mesh.ply(filepath=path)


def read_positions(thing):
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    local = numpy.empty(3 * len(mesh.vertices), dtype=numpy.float32)
    mesh.vertices.foreach_get("co", local)
    matrix = numpy.array(evaluated.matrix_world)
    world = local.reshape(-1, 3).astype(numpy.float64) @ matrix[:3, :3].T + matrix[:3, 3]
    evaluated.to_mesh_clear()
    return base64.b64encode(world.astype(numpy.float32).tobytes()).decode("ascii")


def describe(thing):
    keys = thing.data.shape_keys
    return {
        "materials": [material.name for material in thing.data.materials],
        "shapeKeys": [block.name for block in keys.key_blocks] if keys else [],
        "faces": len(thing.data.polygons),
        "frames": [],
    }


def read_file(path, frames, frames_per_second):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = frames_per_second
    open_file(path)
    objects = {thing.name: describe(thing) for thing in bpy.data.objects}
    for frame in frames:
        scene.frame_set(int(frame), subframe=frame - int(frame))
        for thing in bpy.data.objects:
            objects[thing.name]["frames"].append(read_positions(thing))
    return {"objects": objects, "actions": {action.name: list(action.frame_range) for action in bpy.data.actions}}


job_path, answer_path = sys.argv[sys.argv.index("--") + 1 :]
with open(job_path, encoding="utf8") as job_file:
    job = json.load(job_file)
answers = [read_file(file["path"], file["frames"], job["framesPerSecond"]) for file in job["files"]]
with open(answer_path, "w", encoding="utf8") as answer_file:
    json.dump({"version": bpy.app.version_string, "files": answers}, answer_file)
