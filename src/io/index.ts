export * from './bcc.ts';
export * from './body-geometry.ts';
export * from './csv.ts';
export * from './exporters.ts';
export * from './frame-file.ts';
export { decodeFrameBytes, encodeFrameBytes } from './frame-payload.ts';
export * from './glb.ts';
export { type MeshClip, type ReadClipOptions, readGltfClip } from './gltf-animation.ts';
export { readGltfMesh } from './gltf-read.ts';
export {
  collectYarnColours,
  computeYarnColours,
  GROUP_COLOURS,
  LAYER_COLOURS,
  type YarnColours,
} from './group-colours.ts';
export * from './knitout.ts';
export * from './knitout-knit.ts';
export { encodeLinePlot, escapeText, type LinePlot, type PlotCurve } from './line-plot.ts';
export type { MeshFile, ReadMeshOptions } from './mesh-file.ts';
export type { MeshPoses } from './mesh-poses.ts';
export * from './obj.ts';
export * from './obj-read.ts';
export * from './ply.ts';
export { encodePalettePng, type PaletteColour } from './png.ts';
export type { BodyGeometry, RecordedRun } from './recorded-run.ts';
export * from './resample.ts';
export * from './resample-run.ts';
export * from './resample-surface.ts';
export * from './resample-yarns.ts';
export * from './surface-shading.ts';
export * from './tube.ts';
export type { TubeJoints } from './tube-path.ts';
export * from './usda.ts';
export * from './vtk.ts';
export * from './wif.ts';
export { collectYarnCurves, flattenYarnCurves, type YarnCurve, type YarnCurves } from './yarn-curves.ts';
export * from './yarn-tubes.ts';
export * from './yarns.ts';
