/** An implicit stage of a sheet, and how much of its stiffness is not damped (`assembly.ts`). */

export interface SheetStage {
  h: number;
  linearized: boolean;
  /** First iteration from q = q̂ + h v̂: what tension does across the sheet is taken as it is at q̂. */
  isAhead?: boolean;
  massDamping: number;
  stiffnessDamping: number;
  gravity: Float64Array;
}

/** Share of what tension does in A, relative to h² + βh. */
export const computeTensionShare = ({ h, stiffnessDamping }: SheetStage): number =>
  stiffnessDamping > 0 ? h / (h + stiffnessDamping) : 1;

/** The same in r, relative to s h² + βh. */
export const computePullShare = (stage: SheetStage): number =>
  stage.stiffnessDamping > 0 && !stage.linearized ? 0 : computeTensionShare(stage);
