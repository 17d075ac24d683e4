import { type CallOptions, clientOf, type SpandrelClient } from '../client.ts';
import { AnswerError, ArgumentError } from '../http/errors.ts';
import { mean, meanInterval } from './confidence.ts';

/** The mean of one measure in two experiments, over the examples that have it in both. */
export interface MeasureComparison {
  /** Name of an evaluation, or `latency_ms` or `error`. */
  readonly name: string;
  readonly exampleCount: number;
  readonly baselineMean: number;
  readonly candidateMean: number;
  /** Mean of the differences, candidate less baseline. */
  readonly difference: number;
  /** Interval that has the true difference with the stated confidence. Undefined for fewer than two examples. */
  readonly interval: { readonly low: number; readonly high: number } | undefined;
  /** Examples with a higher, lower and equal value in the candidate. */
  readonly higherCount: number;
  readonly lowerCount: number;
  readonly equalCount: number;
  /** The interval does not contain zero. */
  readonly isSignificant: boolean;
}

export interface ExperimentComparison {
  readonly baselineId: string;
  readonly candidateId: string;
  readonly confidence: number;
  readonly measures: readonly MeasureComparison[];
  /** Examples with a run in only one of both. */
  readonly unmatchedExampleCount: number;
}

interface Row {
  readonly example_id: string;
  readonly error: string | null;
  readonly latency_ms: number;
  readonly annotations: readonly {
    readonly name: string;
    readonly score: number | null;
    readonly error: string | null;
  }[];
}

/** Measure → example → mean over the repetitions. */
type Measures = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * Compares two experiments example by example: repetitions are averaged first, then the differences of equal examples get a
 * confidence interval (Student's t of the paired differences). Independent means would need many more examples.
 */
export async function compareExperiments({
  client: given,
  signal,
  baselineId,
  candidateId,
  confidence = 0.95,
}: CallOptions & {
  readonly baselineId: string;
  readonly candidateId: string;
  readonly confidence?: number;
}): Promise<ExperimentComparison> {
  if (!(confidence > 0 && confidence < 1))
    throw new ArgumentError(`confidence must be between 0 and 1, and is ${confidence}.`);
  const client = clientOf(given);
  const [baseline, candidate] = await Promise.all(
    [baselineId, candidateId].map(async (id) => measure(await readRows(client, id, signal))),
  );
  if (!baseline || !candidate) throw new ArgumentError('Two experiments are needed.');
  const names = [...baseline.keys()].filter((name) => candidate.has(name)).sort();
  return {
    baselineId,
    candidateId,
    confidence,
    measures: names.flatMap((name) => compareMeasure(name, baseline.get(name), candidate.get(name), confidence)),
    unmatchedExampleCount: countUnmatched(baseline.get('error'), candidate.get('error')),
  };
}

async function readRows(
  client: SpandrelClient,
  experimentId: string,
  signal: AbortSignal | undefined,
): Promise<readonly Row[]> {
  const params = { path: { experiment_id: experimentId } };
  const { data } = await client.GET('/v1/experiments/{experiment_id}/json', { params, signal });
  if (!Array.isArray(data)) throw new AnswerError('The results of the experiment are no list.', client.config.baseUrl);
  return data as readonly Row[];
}

function measure(rows: readonly Row[]): Measures {
  const values = new Map<string, Map<string, number[]>>();
  const add = (name: string, example: string, value: number) => {
    const ofName = values.get(name) ?? new Map<string, number[]>();
    values.set(name, ofName.set(example, [...(ofName.get(example) ?? []), value]));
  };
  for (const { example_id: example, error, latency_ms: latency, annotations } of rows) {
    add('error', example, error === null ? 0 : 1);
    add('latency_ms', example, latency);
    for (const { name, score, error: failure } of annotations)
      if (score !== null && failure === null) add(name, example, score);
  }
  return new Map(
    [...values].map(([name, ofName]) => [name, new Map([...ofName].map(([example, all]) => [example, mean(all)]))]),
  );
}

function countUnmatched(
  a: ReadonlyMap<string, number> = new Map(),
  b: ReadonlyMap<string, number> = new Map(),
): number {
  const inBoth = [...a.keys()].filter((example) => b.has(example)).length;
  return a.size + b.size - 2 * inBoth;
}

function compareMeasure(
  name: string,
  baseline: ReadonlyMap<string, number> = new Map(),
  candidate: ReadonlyMap<string, number> = new Map(),
  confidence: number,
): MeasureComparison[] {
  const pairs = [...baseline].flatMap(([example, before]) => {
    const after = candidate.get(example);
    return after === undefined ? [] : [{ before, after }];
  });
  if (pairs.length === 0) return [];
  const differences = pairs.map(({ before, after }) => after - before);
  const difference = mean(differences);
  const interval = differences.length < 2 ? undefined : meanInterval(differences, confidence);
  return [
    {
      name,
      exampleCount: pairs.length,
      baselineMean: mean(pairs.map(({ before }) => before)),
      candidateMean: mean(pairs.map(({ after }) => after)),
      difference,
      interval,
      higherCount: differences.filter((value) => value > 0).length,
      lowerCount: differences.filter((value) => value < 0).length,
      equalCount: differences.filter((value) => value === 0).length,
      isSignificant: interval !== undefined && (interval.low > 0 || interval.high < 0),
    },
  ];
}
