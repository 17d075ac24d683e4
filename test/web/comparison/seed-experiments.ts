import assert from 'node:assert/strict';

/** A score that an evaluator or a person gave to a run. */
export interface SeedScore {
  readonly name: string;
  readonly score?: number | null;
  readonly label?: string;
  readonly explanation?: string;
  readonly annotatorKind?: 'LLM' | 'CODE' | 'HUMAN';
  readonly traceId?: string;
}

export interface SeedRun {
  readonly output?: unknown;
  readonly error?: string;
  readonly latencyMs: number;
  readonly traceId?: string;
  readonly scores?: readonly SeedScore[];
}

export interface SeedExample {
  readonly id?: string;
  readonly input: object;
  readonly output: object;
  readonly metadata?: object;
  readonly split?: string;
}

interface SeedExperiment {
  readonly name: string;
  readonly repetitions?: number;
  /** The run of an example and a repetition from 1. Undefined: there is none. */
  readonly run: (index: number, repetition: number) => SeedRun | undefined;
}

/** IDs of a dataset and its experiments, in order. */
export interface SeededDataset {
  readonly datasetId: string;
  readonly exampleIds: readonly string[];
  readonly experimentIds: readonly string[];
}

/** Requests that are sent at the same time. */
const CONCURRENCY = 16;

/** Creates a dataset with experiments as clients do, over REST. */
export async function seedExperiments(
  url: string,
  name: string,
  examples: readonly SeedExample[],
  experiments: readonly SeedExperiment[],
): Promise<SeededDataset> {
  const { data: created } = await post<{ data: { dataset_id: string } }>(`${url}/v1/datasets/upload?sync=true`, {
    action: 'create',
    name,
    inputs: examples.map(({ input }) => input),
    outputs: examples.map(({ output }) => output),
    metadata: examples.map(({ metadata = {} }) => metadata),
    splits: examples.map(({ split = null }) => split),
    ...(examples.some(({ id }) => id !== undefined) ? { example_ids: examples.map(({ id = null }) => id) } : {}),
  });
  const datasetId = created.dataset_id;
  const response = await fetch(`${url}/v1/datasets/${datasetId}/examples`);
  const { data } = (await response.json()) as { data: { examples: { node_id: string }[] } };
  const exampleIds = data.examples.map(({ node_id: id }) => id);
  const experimentIds: string[] = [];
  for (const { name: label, repetitions = 1, run } of experiments) {
    const { data: experiment } = await post<{ data: { id: string } }>(`${url}/v1/datasets/${datasetId}/experiments`, {
      name: label,
      repetitions,
    });
    experimentIds.push(experiment.id);
    const jobs = exampleIds.flatMap((exampleId, index) =>
      Array.from({ length: repetitions }, (_, at) => ({ exampleId, given: run(index, at + 1), repetition: at + 1 })),
    );
    await inTurn(jobs, async ({ exampleId, given, repetition }) => {
      if (given) await sendRun(url, experiment.id, exampleId, repetition, given);
    });
  }
  return { datasetId, exampleIds, experimentIds };
}

const START = Date.parse('2026-03-02T10:00:00Z');
const timeAt = (ms: number): string => new Date(START + ms).toISOString();

async function sendRun(
  url: string,
  experimentId: string,
  exampleId: string,
  repetition: number,
  { output = null, error, latencyMs, traceId, scores = [] }: SeedRun,
): Promise<void> {
  const { data: run } = await post<{ data: { id: string } }>(`${url}/v1/experiments/${experimentId}/runs`, {
    dataset_example_id: exampleId,
    output,
    repetition_number: repetition,
    start_time: timeAt(0),
    end_time: timeAt(latencyMs),
    trace_id: traceId ?? null,
    error: error ?? null,
  });
  for (const { name, score = null, label = null, explanation = null, annotatorKind = 'CODE', traceId: of } of scores) {
    await post(`${url}/v1/experiment_evaluations`, {
      experiment_run_id: run.id,
      name,
      annotator_kind: annotatorKind,
      start_time: timeAt(latencyMs),
      end_time: timeAt(latencyMs + 20),
      result: { score, label, explanation },
      trace_id: of ?? null,
    });
  }
}

async function inTurn<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

async function post<Answer>(url: string, body: object): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text) as Answer;
}
