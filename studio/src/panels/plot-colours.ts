/** Number of colours that lines of a chart take in turn; lines that share one are told apart by dashes. */
export const COLOURS = 6;
