import type { OptimizationDirection } from '../../../model/annotations/annotation-config.ts';
import type { ReadOptions } from '../../../span-store/contract/read-options.ts';
import type { Comparison } from './comparison.ts';
import { type CostPorts, findRunCosts, type StartedCosts } from './run-costs.ts';
import { rangeOf } from './statistics/value-range.ts';

export const MEASURE_KINDS = ['SCORE', 'LATENCY', 'TOKENS', 'COST', 'ERROR_RATE'] as const;
export type MeasureKind = (typeof MEASURE_KINDS)[number];

/** Something that is compared: a value per run. */
export interface Measure {
  /** `score:<name>`, `human:<name>`, `latencyMs`, `totalTokens`, `totalCost` or `errorRate`. */
  readonly key: string;
  readonly name: string;
  readonly kind: MeasureKind;
  readonly direction: OptimizationDirection;
  /** True when no annotation config defines the direction. */
  readonly isDirectionAssumed: boolean;
  /** Every value is 0 or 1. */
  readonly isBinary: boolean;
  /** For each experiment, the value of each run. NaN: none. */
  readonly values: readonly Float64Array[];
}

/** Stands for the key of the measure that people read first, so that a caller need not list the measures. */
export const FIRST_MEASURE = 'first';

const hasValue = ({ values }: Measure): boolean => rangeOf(values).hasValue;

/** All measures that have a value: scores by name, then latency, tokens, cost and errors. */
export async function listMeasures(
  ports: CostPorts,
  comparison: Comparison,
  options: ReadOptions,
  started?: StartedCosts,
): Promise<Measure[]> {
  const costs = await findRunCosts(ports, comparison, options, started);
  return [
    ...listScores(comparison),
    latencyOf(comparison),
    numberOf('totalTokens', 'tokens', 'TOKENS', costs.tokens),
    numberOf('totalCost', 'cost', 'COST', costs.dollars),
    errorsOf(comparison),
  ].filter(hasValue);
}

/** The first score that is better or worse, else the latency. Undefined when neither has a value. */
const findFirstMeasure = (comparison: Comparison): Measure | undefined =>
  [...listScores(comparison), latencyOf(comparison)].find(
    (measure) => measure.direction !== 'NONE' && hasValue(measure),
  );

/**
 * One measure, without reading others. Undefined when the experiments have no such measure.
 *
 * @param key Key of a measure, or `FIRST_MEASURE`.
 */
export async function findMeasure(
  ports: CostPorts,
  comparison: Comparison,
  key: string,
  options: ReadOptions,
): Promise<Measure | undefined> {
  if (key === FIRST_MEASURE) return findFirstMeasure(comparison);
  if (key === 'latencyMs') return latencyOf(comparison);
  if (key === 'errorRate') return errorsOf(comparison);
  if (key === 'totalTokens' || key === 'totalCost') {
    const { tokens, dollars } = await findRunCosts(ports, comparison, options);
    return key === 'totalTokens'
      ? numberOf('totalTokens', 'tokens', 'TOKENS', tokens)
      : numberOf('totalCost', 'cost', 'COST', dollars);
  }
  return listScores(comparison).find((measure) => measure.key === key);
}

/** Scores of evaluators and of people are different measures, so that neither changes the mean of the other. */
function listScores({ columns, directions }: Comparison): Measure[] {
  return (['scores', 'personScores'] as const).flatMap((source) => {
    const names = new Set(columns.flatMap((column) => [...column[source].keys()]));
    return [...names].toSorted().map((name): Measure => {
      const values = columns.map((column) => column[source].get(name)?.values ?? noValues(column.runs.count));
      return {
        key: source === 'scores' ? `score:${name}` : `human:${name}`,
        name: source === 'scores' ? name : `${name} (people)`,
        kind: 'SCORE',
        direction: directions.get(name) ?? 'MAXIMIZE',
        isDirectionAssumed: !directions.has(name),
        isBinary: rangeOf(values).isBinary,
        values,
      };
    });
  });
}

/** Failed runs have no latency here: a run that fails at once would make an experiment look fast. */
const latencyOf = ({ columns }: Comparison): Measure =>
  numberOf(
    'latencyMs',
    'latency',
    'LATENCY',
    columns.map(({ runs: { latencyMs, hasError } }) => {
      const values = latencyMs.slice();
      for (let run = 0; run < values.length; run++) if (hasError[run] === 1) values[run] = Number.NaN;
      return values;
    }),
  );

const errorsOf = ({ columns }: Comparison): Measure => ({
  ...numberOf(
    'errorRate',
    'errors',
    'ERROR_RATE',
    columns.map(({ runs }) => Float64Array.from(runs.hasError)),
  ),
  isBinary: true,
});

const numberOf = (key: string, name: string, kind: MeasureKind, values: readonly Float64Array[]): Measure => ({
  key,
  name,
  kind,
  direction: 'MINIMIZE',
  isDirectionAssumed: false,
  isBinary: false,
  values,
});

const noValues = (count: number): Float64Array => new Float64Array(count).fill(Number.NaN);
