/**
 * Coordinates of a node that are not free: they keep a unit row with zero right-hand side instead of leaving the system,
 * so that its pattern stays (design §3). One bit a coordinate.
 */
export const CANCEL_X = 1;
export const CANCEL_Y = 2;
export const CANCEL_Z = 4;
/** The whole world position. */
export const CANCEL_POSITION = 7;
/** The material coordinate of a curve. */
export const CANCEL_U = 8;
