/**
 * Loops of a sheet's assembly in C (sheet.inc, sheet-slide.inc). Their twins in TypeScript, with the same bits, are the loops of src/sheet:
 * fixed-triangles.ts, sliding-triangles.ts and bending.ts. They read where things are from a table of 32-bit places, in bytes from the start of `KernelMemory`, and the numbers of a stage
 * from one of doubles.
 */

/** Order of the table of places. */
export const SHEET_PLACES = [
  'q',
  'qBase',
  'v',
  'vBase',
  'area',
  'gradients',
  'beta',
  'gamma',
  'edgeStiffness',
  'triangles',
  'triangleOrder',
  'triangleEdges',
  'trianglePlaces',
  'edges',
  'edgeOrder',
  'edgePlaces',
  'edgeTriangles',
  'near',
  'sizes',
  'blockStart',
  'theta',
  'lean',
  'leanMoment',
  'moment',
  'hinges',
  'values',
  'rhs',
] as const;

/** How many numbers the table of the stage has: h, isAhead, h² + βh, s h² + βh, 1 + αh, ρ, g (3), C (4), B (4). */
export const SHEET_NUMBERS = 19;

export interface SheetKernels {
  addSheetTriangles(places: number, numbers: number, triangleCount: number): void;
  measureSheetAngles(places: number, numbers: number, edgeCount: number, triangleCount: number): void;
  addSheetEdges(places: number, numbers: number, edgeCount: number): void;
  addSlidingTriangles(places: number, numbers: number, triangleCount: number): void;
}
