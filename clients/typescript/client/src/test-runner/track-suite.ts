import { createClient, type SpandrelClient } from '../client.ts';
import { type DatasetExample, getDatasetExamples } from '../datasets/datasets.ts';
import { createDataset, type ExampleInput } from '../datasets/upload-dataset.ts';
import type { ExperimentInfo } from '../experiments/experiment-types.ts';
import { createExperiment, getExperimentInfo } from '../experiments/experiments.ts';
import { Outbox } from '../experiments/outbox.ts';
import { ResultPoster } from '../experiments/post-results.ts';
import { experimentUrl } from '../experiments/run-experiment.ts';
import { SpanSender } from '../experiments/span-sender.ts';
import { toJsonValue } from '../http/json-value.ts';
import type { RunAnnotation, TestRun } from './current-run.ts';
import { findGitSha } from './git-sha.ts';
import type { Suite, SuiteTest } from './suite.ts';

/** Time for the upload before the tests, and for what is left after them. Then the tests go on without a server. */
const OPEN_MS_MAX = 15_000;
const CLOSE_MS_MAX = 20_000;
const RETRY = { attemptCountMax: 3, deadlineMs: 5_000, silenceMs: 10_000 };

/** Stores the runs of a suite as an experiment. Nothing here throws: a server that is missing fails no test. */
export class SuiteTracker {
  readonly experiment: ExperimentInfo;
  readonly #client: SpandrelClient;
  readonly #poster: ResultPoster;
  readonly #outbox: Outbox;
  readonly #spans: SpanSender;
  readonly #abort: AbortController;
  readonly #nodeIds: ReadonlyMap<SuiteTest, string>;
  readonly #repetitions = new Map<string, number>();
  readonly #pending: Promise<unknown>[] = [];

  private constructor(options: {
    readonly client: SpandrelClient;
    readonly experiment: ExperimentInfo;
    readonly outbox: Outbox;
    readonly nodeIds: ReadonlyMap<SuiteTest, string>;
    readonly warn: (message: string) => void;
  }) {
    const { client, experiment, outbox, warn } = options;
    this.experiment = experiment;
    this.#client = client;
    this.#outbox = outbox;
    this.#nodeIds = options.nodeIds;
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.#poster = new ResultPoster({ client, experimentId: experiment.id, outbox, warn, signal });
    this.#spans = new SpanSender(client, warn);
  }

  /** Uploads the examples and creates the experiment. Undefined when nothing is stored, of which `warn` is told the reason. */
  static async open(suite: Suite, warn: (message: string) => void): Promise<SuiteTracker | undefined> {
    const stored = suite.tests.filter(({ mark, isDryRun }) => mark !== 'skip' && !isDryRun);
    if (suite.isSkipped || stored.length === 0) return undefined;
    try {
      const signal = AbortSignal.timeout(OPEN_MS_MAX);
      const client = suite.config.client ?? createClient({ options: { retry: RETRY } });
      const { datasetName: name = suite.name, datasetDescription: description = null } = suite.config;
      const { datasetId } = await createDataset({
        client,
        signal,
        name,
        description,
        examples: stored.map(toExampleInput),
      });
      const { examples, versionId } = await getDatasetExamples({ client, signal, dataset: { datasetId } });
      const nodeIds = matchExamples(stored, examples);
      const experiment = await createExperiment({
        ...{ client, signal, datasetId, datasetVersionId: versionId },
        repetitions: countRuns(stored, nodeIds),
        experimentMetadata: { ...findGitSha(), ...suite.config.metadata },
        ...(suite.config.experimentName && { experimentName: suite.config.experimentName }),
        ...(suite.config.experimentDescription && { experimentDescription: suite.config.experimentDescription }),
      });
      const address = { baseUrl: client.config.baseUrl, experimentId: experiment.id };
      const { outbox } = await Outbox.open(address, warn);
      return new SuiteTracker({ client, experiment, outbox, nodeIds, warn });
    } catch (error) {
      warn(
        `The tests of "${suite.name}" run without being stored. ${error instanceof Error ? error.message : String(error)}`,
      );
      return undefined;
    }
  }

  /** Stores a run and its annotations in the background. */
  add(test: SuiteTest, run: TestRun): void {
    const nodeId = this.#nodeIds.get(test);
    if (nodeId === undefined) return;
    const repetition = (this.#repetitions.get(nodeId) ?? 0) + 1;
    this.#repetitions.set(nodeId, repetition);
    const stored = this.#store(run, nodeId, repetition);
    // It is awaited at the end; until then a rejection must not be unhandled.
    stored.catch(() => undefined);
    this.#pending.push(stored);
  }

  /** Waits for the server, and at most for a time. Returns the address of the experiment, or why results wait. */
  async close(): Promise<{ readonly url: string; readonly problem: string | undefined }> {
    const timer = setTimeout(
      () => this.#abort.abort(new Error(`no answer for ${CLOSE_MS_MAX / 1_000} s`)),
      CLOSE_MS_MAX,
    );
    const outcomes = await Promise.allSettled(this.#pending);
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (!failure) await this.#spans.flush();
    clearTimeout(timer);
    await this.#outbox.close().catch(() => undefined);
    const info = failure
      ? this.experiment
      : await getExperimentInfo({ client: this.#client, experimentId: this.experiment.id }).catch(
          () => this.experiment,
        );
    const reason = failure?.status === 'rejected' ? String((failure.reason as Error | undefined)?.message) : undefined;
    return { url: experimentUrl(this.#client, info), problem: reason };
  }

  async #store(run: TestRun, nodeId: string, repetition: number): Promise<void> {
    const output = toJsonValue(run.output ?? null);
    this.#spans.add(this.experiment.projectName, {
      name: `Test: ${run.testName}`,
      kind: 'CHAIN',
      ...{ traceId: run.traceId, spanId: run.spanId, startTime: run.startTime, endTime: run.endTime, error: run.error },
      input: toJsonValue(run.input),
      output,
    });
    const { posted } = await this.#poster.add('run', {
      ...{ dataset_example_id: nodeId, output, repetition_number: repetition, trace_id: run.traceId, error: run.error },
      ...{ start_time: run.startTime.toISOString(), end_time: run.endTime.toISOString() },
    });
    const runId = await posted;
    const verdict = { score: run.error === null ? 1 : 0, label: run.error === null ? 'pass' : 'fail' };
    const times = { startTime: run.startTime, endTime: run.endTime, traceId: run.traceId };
    const pass = { name: 'pass', annotatorKind: 'CODE', ...times, error: null, result: verdict } as const;
    const evaluations = [pass, ...lastByName(run.annotations)].map((annotation) =>
      this.#storeAnnotation(runId, annotation),
    );
    await Promise.all(evaluations);
  }

  async #storeAnnotation(runId: string, { result, ...annotation }: RunAnnotation): Promise<void> {
    const { posted } = await this.#poster.add('evaluation', {
      ...{ experiment_run_id: runId, name: annotation.name, annotator_kind: annotation.annotatorKind },
      ...{ start_time: annotation.startTime.toISOString(), end_time: annotation.endTime.toISOString() },
      result: result && {
        score: result.score ?? null,
        label: result.label ?? null,
        explanation: result.explanation ?? null,
      },
      ...{ error: annotation.error, metadata: toJsonValue(result?.metadata ?? {}), trace_id: annotation.traceId },
    });
    await posted;
  }
}

/** Evaluations of a run have unique names on the server. */
export const lastByName = (annotations: readonly RunAnnotation[]): RunAnnotation[] => [
  ...new Map(annotations.map((annotation) => [annotation.name, annotation])).values(),
];

/** Inputs and outputs of datasets are objects. */
const toObject = (value: unknown, key: string): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : { [key]: value };

const toExampleInput = ({ params, expected }: SuiteTest): ExampleInput => ({
  input: toObject(params.input, 'input'),
  ...(expected !== undefined && { output: toObject(expected, 'expected') }),
  ...(params.metadata && { metadata: params.metadata }),
  ...(params.splits !== undefined && { splits: params.splits }),
  ...(params.id !== undefined && { id: params.id }),
});

/** Examples by their ID, else by their input and output, else by their input. */
function matchExamples(tests: readonly SuiteTest[], examples: readonly DatasetExample[]): Map<SuiteTest, string> {
  const nodeIds = new Map<string, string>();
  for (const example of examples.toReversed()) {
    nodeIds.set(`id ${example.id}`, example.nodeId);
    nodeIds.set(`in ${toKey(example.input)}`, example.nodeId);
    nodeIds.set(`both ${toKey(example.input)} ${toKey(example.output ?? {})}`, example.nodeId);
  }
  const matched = tests.map((test): [SuiteTest, string | undefined] => {
    const { id, input, output } = toExampleInput(test);
    const byContent = nodeIds.get(`both ${toKey(input)} ${toKey(output ?? {})}`) ?? nodeIds.get(`in ${toKey(input)}`);
    return [test, id != null ? nodeIds.get(`id ${id}`) : byContent];
  });
  return new Map(matched.filter((entry): entry is [SuiteTest, string] => entry[1] !== undefined));
}

const toKey = (value: unknown): string => JSON.stringify(sorted(toJsonValue(value)));

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, sorted(item)]);
};

/** The most runs of one example: tests with equal inputs share an example. */
function countRuns(tests: readonly SuiteTest[], nodeIds: ReadonlyMap<SuiteTest, string>): number {
  const counts = new Map<string, number>();
  for (const test of tests) {
    const nodeId = nodeIds.get(test) ?? '';
    counts.set(nodeId, (counts.get(nodeId) ?? 0) + test.repetitions);
  }
  return Math.max(1, ...counts.values());
}
