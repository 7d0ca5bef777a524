/** The cloth of a layer of a scene, for the test bench of swatches (`measureSwatch`). */
import { HeddleError } from '../model/index.ts';
import type { SwatchCloth } from '../world/index.ts';
import { createYarnMaterial } from './compile-fabric.ts';
import { layPattern, type ReadPatternFile } from './fabric-patterns.ts';
import type { Scene, SceneFabric } from './schema.ts';

/** The first layer of the first fabric of a scene. */
export function createSwatchCloth(scene: Scene, readFile: ReadPatternFile): SwatchCloth {
  const fabric = scene.objects.find((object): object is SceneFabric => object.type === 'fabric');
  if (fabric === undefined)
    throw new HeddleError('the scene has no fabric, so there is no cloth to cut a swatch from; give one that has.');
  const [layer] = fabric.layers;
  const name = layer.id ?? 'layer 0';
  const [warp, weft] = [layer.material, layer.weftMaterial ?? layer.material].map((one) => createYarnMaterial(one, scene));
  const index = { warp: 0, weft: 1 };
  const { width: _, height: __, ...pattern } = layer.pattern;
  const lay = (warps: number, wefts: number) =>
    layPattern({ ...layer, pattern: { ...pattern, warps, wefts } }, name, { warp, weft, index }, readFile);
  // one crossing and its four ends tell how far apart yarns are: the size is one spacing each way, or what the margin leaves of two
  const [one, two] = [lay(1, 1), lay(2, 2)];
  return {
    materials: [warp, weft],
    layer: two.options,
    friction: layer.friction ?? (warp.friction + weft.friction) / 2,
    spacing: { warp: two.size[0] - one.size[0], weft: two.size[1] - one.size[1] },
    createNet: (warps, wefts) => lay(warps, wefts).net,
  };
}
