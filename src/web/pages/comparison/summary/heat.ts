import type { Difference, Group, Measure } from '../compared.ts';
import { isBetter } from '../format-measure.ts';

/** A difference of one group on one measure, as a field of a heat table. */
export interface HeatCell {
  readonly measure: Measure;
  readonly difference: Difference | undefined;
  /** Undefined: the difference is zero, or the measure has no better direction. */
  readonly isBetter: boolean | undefined;
  /** Size of the difference from 0 to 1, compared with the largest one on this measure in the table. */
  readonly strength: number;
}

export interface HeatRow {
  readonly group: Group;
  readonly cells: readonly HeatCell[];
}

/** Fields of a heat table for one experiment: a row per group, a column per measure. */
export function toHeatRows(
  groups: readonly Group[],
  measures: readonly Measure[],
  experimentId: string,
): readonly HeatRow[] {
  const differenceOf = (group: Group, key: string) =>
    group.measures.find((each) => each.key === key)?.values.find((value) => value.experimentId === experimentId)
      ?.difference ?? undefined;
  const largest = new Map(
    measures.map(({ key }) => [
      key,
      Math.max(0, ...groups.map((group) => Math.abs(differenceOf(group, key)?.mean ?? 0))),
    ]),
  );
  return groups.map((group) => ({
    group,
    cells: measures.map((measure) => {
      const difference = differenceOf(group, measure.key);
      const mean = difference?.mean ?? 0;
      const top = largest.get(measure.key) ?? 0;
      return {
        measure,
        difference,
        isBetter: isBetter(measure, mean),
        strength: top === 0 ? 0 : Math.abs(mean) / top,
      };
    }),
  }));
}
