/** What a benchmark must show, and how the command says whether it does. */

export interface BenchDemand {
  readonly demand: string;
  readonly value: number;
  readonly limit: number;
  readonly holds: boolean;
}

export const formatDemand = ({ demand, value, limit, holds }: BenchDemand): string =>
  `${holds ? 'passes' : 'FAILS'}  ${demand}: ${value.toPrecision(3)}, at most ${limit}\n`;
