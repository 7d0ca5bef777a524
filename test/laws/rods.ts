/** What the laws of rods share with the registry of laws. */
export {
  addScaled,
  clampStart,
  computeRodSpeed as computeSpeed,
  createRodMaterial as createMaterial,
  type Elastica,
  measureTip,
  pushEnd,
  readEnd,
  readNode,
  readPoint,
  settleRod as settle,
  shootElastica,
  spacingFor,
} from 'heddle/validate';
