import type { CallOptions } from '../client.ts';
import { ArgumentError } from '../http/errors.ts';
import { queryGraphql } from '../http/query-graphql.ts';

/** Mean over the examples that have a value, with its 95 % interval. Null where there are too few values. */
export interface ComparedValue {
  readonly count: number;
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** Mean difference over the examples that both experiments have. Fewer than six have no interval. */
export interface ComparedDifference extends ComparedValue {
  readonly verdict: 'BETTER' | 'WORSE' | 'UNCLEAR';
  /** Examples on which the candidate is better, worse and equal. */
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
  /** Such as “better on correctness by 4.1 points (1.2 to 7.0), n = 200”. */
  readonly sentence: string;
}

export interface MeasureComparison {
  /** `score:<name>`, `human:<name>` for scores of people, `latencyMs`, `totalTokens`, `totalCost` or `errorRate`. */
  readonly key: string;
  readonly name: string;
  readonly direction: 'MAXIMIZE' | 'MINIMIZE' | 'NONE';
  readonly baseline: ComparedValue;
  readonly candidate: ComparedValue;
  /** Candidate less baseline. */
  readonly difference: ComparedDifference;
}

export interface ExperimentComparison {
  /** Examples of the baseline, and those of them that both experiments have. */
  readonly exampleCount: number;
  readonly commonExampleCount: number;
  /** What a reader of the numbers must know, such as missing runs. */
  readonly notices: readonly string[];
  readonly measures: readonly MeasureComparison[];
}

const QUERY = `query ($ids: [ID!]!) {
  report: experimentComparison(input: { experimentIds: $ids }) {
    exampleCount commonExampleCount notices
    measures {
      key name direction
      values { count mean low high
        difference { count mean low high verdict wins losses ties sentence } }
    }
  }
}`;

interface Measure extends Pick<MeasureComparison, 'key' | 'name' | 'direction'> {
  /** Of the baseline, which has no difference, and of the candidate. */
  readonly values: readonly [
    ComparedValue & { readonly difference: null },
    ComparedValue & { readonly difference: ComparedDifference },
  ];
}

/** Compares two experiments on one dataset, with the numbers that the server also shows on its pages. */
export async function compareExperiments({
  client,
  signal,
  baselineId,
  candidateId,
  ...unknown
}: CallOptions & {
  readonly baselineId: string;
  readonly candidateId: string;
}): Promise<ExperimentComparison> {
  const [option] = Object.keys(unknown);
  if (option)
    throw new ArgumentError(`compareExperiments has no option ${option}. The server computes 95 % intervals.`);
  const variables = { ids: [baselineId, candidateId] };
  const { report } = await queryGraphql<{
    readonly report: Omit<ExperimentComparison, 'measures'> & { readonly measures: readonly Measure[] };
  }>({ client, signal }, QUERY, variables);
  return {
    ...report,
    measures: report.measures.map(
      ({ values: [{ difference: _, ...baseline }, { difference, ...candidate }], ...measure }) => ({
        ...measure,
        ...{ baseline, candidate, difference },
      }),
    ),
  };
}
