/** The cloth of a layer of a scene, for the test bench of swatches (`measureSwatch`). */
import { HeddleError } from '../model/index.ts';
import type { SwatchCloth } from '../world/index.ts';
import { createYarnMaterial } from './compile-fabric.ts';
import { isKnit, layPattern, type ReadPatternFile } from './fabric-patterns.ts';
import type { Scene, SceneFabric } from './schema.ts';

/** The first layer of the first fabric of a scene; its yarns at their spacing, as many as a swatch needs. */
export function createSwatchCloth(scene: Scene, readFile: ReadPatternFile): SwatchCloth {
  const fabric = scene.objects.find((object): object is SceneFabric => object.type === 'fabric');
  if (fabric === undefined)
    throw new HeddleError('the scene has no fabric, which a swatch is cut from; give a scene with a woven fabric.');
  const [layer] = fabric.layers;
  const { pattern: given } = layer;
  if (isKnit(given))
    throw new HeddleError(
      `layer 0 of fabric "${fabric.id}" is a knit, ${given.type}; swatches can be cut from weaves only: give a woven one.`,
    );
  const { width: _width, height: _height, ...pattern } = given;
  const [warp, weft] = [layer.material, layer.secondMaterial ?? layer.material].map((one) =>
    createYarnMaterial(one, scene),
  );
  const lay = (warps: number, wefts: number) =>
    layPattern(
      { ...layer, pattern: { ...pattern, warps, wefts } },
      layer.id ?? 'layer 0',
      { warp, weft, index: { warp: 0, weft: 1 } },
      readFile,
    );
  const [one, two] = [lay(1, 1), lay(2, 2)];
  return {
    materials: [warp, weft],
    layer: two.options,
    friction: layer.friction ?? (warp.friction + weft.friction) / 2,
    spacing: { warp: two.size[0] - one.size[0], weft: two.size[1] - one.size[1] },
    createNet: (warps, wefts) => lay(warps, wefts).net,
  };
}
