export * from './amd.ts';
export { BlockMixed, type SymmetricBlocks } from './block-mixed.ts';
export * from './block-sparse.ts';
export * from './chain.ts';
export * from './chain-border-columns.ts';
export * from './chain-border-product.ts';
export * from './chain-bordered.ts';
export * from './definite-solver.ts';
export * from './dense.ts';
export * from './dissection.ts';
export type { IterativeOptions, IterativeReport, LinearOperator } from './iterative.ts';
export * from './kkt.ts';
export * from './ldlt.ts';
export * from './minres.ts';
export * from './net-solver.ts';
export * from './pcg.ts';
export * from './preconditioner.ts';
export * from './qp.ts';
export * from './qp-dense.ts';
export {
  addRowForces,
  computeGap,
  type MeasuredMatrix,
  type MeasuredProblem,
  QpScales,
  writeQpResidual,
} from './qp-problem.ts';
export * from './qp-sweeps.ts';
export * from './sparsified.ts';
export * from './symbolic.ts';
export { chooseWeakBlocks, type WeakChoice } from './weak-blocks.ts';
