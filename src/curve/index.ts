import { BENDING } from './bending.ts';
import type { CurveEnergy } from './energy.ts';
import { GRAVITY } from './gravity.ts';
import { STRETCH } from './stretch.ts';

export { type AxialStage, writeAxialSystem } from './axial.ts';
export { BENDING, BendingStencil, computeLoanPhase, findLender } from './bending.ts';
export { addBendingSystem } from './bending-system.ts';
export { CurveBodyContacts, type CurveBodyContactsOptions } from './body-contacts.ts';
export * from './chain.ts';
export { type CurveContactOptions, CurveContacts, type CurveNode } from './curve-contacts.ts';
export { type BodyStartFault, type CurveStartFault, findBodyStartFault, findCurveStartFault } from './curve-start.ts';
export type { CurveEnergy } from './energy.ts';
export { GRAVITY } from './gravity.ts';
export { listChainSegments, writeChainMaterialVelocity } from './lines.ts';
export type { CurveMaterial } from './material.ts';
export * from './motion.ts';
export * from './patch.ts';
export { STRETCH } from './stretch.ts';
export type { TouchingCurve } from './touching-curve.ts';
export { addWindSystem } from './wind.ts';

/** Every energy of a curve. The derivative tests and the docs tables run over this list. */
export const CURVE_ENERGIES: readonly CurveEnergy[] = [STRETCH, BENDING, GRAVITY];
