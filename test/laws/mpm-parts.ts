/** Pieces of cloth and hair that the laws of the continuum share with the registry of laws. */
export {
  createClothPart as createSheet,
  createHairPart as createHairs,
  createWalls,
  meanOfPart as meanOf,
} from 'heddle/validate';
