export { type CompileOptions, compile } from './compile.ts';
export { computeJsonSchema, type JsonSchema } from './json-schema.ts';
export { locateFaults, type ParseOptions, parseScene, readSceneJson, validateScene } from './parse.ts';
export { computeSceneReference } from './reference.ts';
export { countSteps, isMoment } from './schedule.ts';
export {
  computeProbeColumns,
  DRIVER_TYPES,
  type Driver,
  type Expectation,
  type Material,
  PROBE_COLUMNS,
  type Probe,
  type Scene,
  type SceneBody,
  type SceneFabric,
  type SceneInput,
  type SceneObject,
  type SceneRod,
  type SceneShape,
  type SceneSheet,
  type SceneStrand,
  sceneSchema,
} from './schema.ts';
export { OBJECT_TYPES } from './schema-objects.ts';
export { LIMITS } from './schema-parts.ts';
export { setPath, setPointer } from './set-path.ts';
export { createSwatchCloth } from './swatch-cloth.ts';
