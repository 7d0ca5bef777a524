/** What the law tests share with the registry of laws: building a world from a scene, and reading oscillations off it. */
export {
  createWorld,
  distance,
  measurePeriod,
  orderOf,
  readProbe,
  readVector,
  run,
  unevenFractions,
} from 'heddle/validate';
