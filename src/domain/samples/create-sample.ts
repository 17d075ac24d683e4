import { setTimeout as sleep } from 'node:timers/promises';
import { authorOf } from '../../model/access/caller.ts';
import type { Dataset } from '../../model/dataset.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Experiment } from '../../model/experiment.ts';
import { DATASET_LIST_COUNT_MAX } from '../../model/limits/datasets.ts';
import { readStoredObject } from '../datasets/json-object.ts';
import { createExperiment } from '../experiments/create-experiment.ts';
import { BASELINE, tagExperiment } from '../experiments/tag-experiment.ts';
import { writeEvaluation, writeRun } from '../experiments/write-run.ts';
import type { Ports } from '../ports.ts';
import { addPromptVersion } from '../prompts/add-prompt-version.ts';
import { setVersionTag } from '../prompts/version-tags.ts';
import { toJournalText } from '../spans/create-spans.ts';
import {
  SAMPLE_CASES,
  type SampleRun,
  toEvaluations,
  toExact,
  toExamples,
  toNewRun,
  toPromptContent,
  toRuns,
  toSpans,
} from './sample-records.ts';
import {
  SAMPLE_DATASET_NAME,
  SAMPLE_DESCRIPTION,
  SAMPLE_EXPERIMENTS,
  SAMPLE_MARK,
  SAMPLE_PROMPT_NAME,
  SAMPLE_VERSIONS,
} from './support-sample.ts';

/** Row ids of the parts of the sample. */
export interface Sample {
  readonly datasetRowId: number;
  /** The baseline first. */
  readonly experimentRowIds: readonly number[];
  /** Null when the prompt was deleted. */
  readonly promptRowId: number | null;
  /** Whether every part exists. */
  readonly isComplete: boolean;
}

type Reads = Pick<Ports, 'datasets' | 'experiments' | 'prompts'>;
type Writes = Reads & Pick<Ports, 'uploads' | 'writes' | 'caller'>;

/** ID of a version of a prompt as clients see it, which spans contain by contract. */
export type VersionIdText = (versionRowId: number) => string;

/** The sample as far as it exists. Undefined without its dataset. */
export async function findSample(ports: Reads): Promise<Sample | undefined> {
  const dataset = await findMarkedDataset(ports);
  if (!dataset) return undefined;
  const [experiments, prompt] = await Promise.all([findExperiments(ports, dataset.rowId), findPrompt(ports)]);
  const complete = experiments.filter((one) => one !== undefined);
  return {
    datasetRowId: dataset.rowId,
    experimentRowIds: complete.map(({ rowId }) => rowId),
    promptRowId: prompt?.rowId ?? null,
    isComplete:
      prompt?.versionRowIds.length === SAMPLE_VERSIONS.length &&
      complete.length === SAMPLE_EXPERIMENTS.length &&
      complete.every((one) => one.successfulRunCount + one.failedRunCount === SAMPLE_CASES.length),
  };
}

/**
 * Creates the sample, or its missing parts: a prompt with three versions, a dataset with splits, and two experiments with
 * traces. What users have changed in it stays.
 *
 * @throws {SpandrelError} `DATASET_NAME_TAKEN`, `PROMPT_NAME_TAKEN` when a user has given the name to something else
 */
export async function createSample(ports: Writes, versionIdText: VersionIdText): Promise<Sample> {
  const isFirst = await createDataset(ports);
  // Another request may be creating it. If the server has ended while it did, its parts are missing for longer.
  for (let wait = 0; !isFirst && wait < OTHER_WAIT_COUNT; wait++) {
    const sample = await findSample(ports);
    if (sample?.isComplete) return sample;
    await sleep(OTHER_WAIT_MS);
  }
  const versionRowIds = await createPrompt(ports);
  const dataset = await findMarkedDataset(ports);
  if (!dataset) throw new SpandrelError('DATASET_NOT_FOUND', 'The sample was deleted while it was created');
  for (const index of SAMPLE_EXPERIMENTS.keys()) {
    const versionRowId = versionRowIds[index];
    await createSampleExperiment(ports, dataset, index, versionRowId === undefined ? '' : versionIdText(versionRowId));
  }
  const sample = await findSample(ports);
  if (!sample) throw new SpandrelError('DATASET_NOT_FOUND', 'The sample was deleted while it was created');
  return sample;
}

const OTHER_WAIT_COUNT = 20;
const OTHER_WAIT_MS = 250;

/** Returns false when it exists. Its unique name decides which of several requests creates the sample. */
async function createDataset(ports: Writes): Promise<boolean> {
  if (await findMarkedDataset(ports)) return false;
  try {
    await ports.uploads.run(() =>
      ports.datasets.upload({
        action: 'create',
        name: SAMPLE_DATASET_NAME,
        description: SAMPLE_DESCRIPTION,
        metadata: JSON.stringify({ sample: SAMPLE_MARK }),
        examples: [toExamples()],
        providesSplits: true,
        userId: authorOf(ports.caller),
      }),
    );
    return true;
  } catch (error) {
    const isTaken = error instanceof SpandrelError && error.code === 'DATASET_NAME_TAKEN';
    if (isTaken && (await findMarkedDataset(ports))) return false;
    throw error;
  }
}

async function findMarkedDataset({ datasets }: Pick<Ports, 'datasets'>): Promise<Dataset | undefined> {
  const dataset = await datasets.find({ name: SAMPLE_DATASET_NAME });
  return dataset && readStoredObject(dataset.metadata).sample === SAMPLE_MARK ? dataset : undefined;
}

/** Row ids of the versions, oldest first. */
async function createPrompt(ports: Writes): Promise<readonly number[]> {
  const found = await findPrompt(ports);
  if (found && !found.isMarked) {
    const message = `A prompt named "${SAMPLE_PROMPT_NAME}" that is not a sample already exists`;
    throw new SpandrelError('PROMPT_NAME_TAKEN', message);
  }
  const versionRowIds = [...(found?.versionRowIds ?? [])];
  for (const version of SAMPLE_VERSIONS.slice(versionRowIds.length)) {
    const named = { name: SAMPLE_PROMPT_NAME, description: 'Sample data', metadata: toExact({ sample: SAMPLE_MARK }) };
    const { rowId } = await addPromptVersion(ports, { named }, toPromptContent(version));
    await setVersionTag(ports, rowId, version.tag);
    versionRowIds.push(rowId);
  }
  return versionRowIds;
}

async function findPrompt({ prompts }: Pick<Ports, 'prompts'>) {
  const { items } = await prompts.listVersions({ prompt: { name: SAMPLE_PROMPT_NAME }, limit: 100 });
  const [latest] = items;
  if (!latest) return undefined;
  const prompt = (await prompts.findByRowIds([latest.promptId])).get(latest.promptId);
  return {
    rowId: latest.promptId,
    isMarked: prompt?.metadata.sample === SAMPLE_MARK,
    versionRowIds: items
      .map(({ rowId }) => rowId)
      .reverse()
      .slice(0, SAMPLE_VERSIONS.length),
  };
}

/** Experiments of the sample in order, undefined where one is missing. */
async function findExperiments({ experiments }: Pick<Ports, 'experiments'>, datasetRowId: number) {
  const { items } = await experiments.list({ datasetRowId, limit: DATASET_LIST_COUNT_MAX });
  return SAMPLE_EXPERIMENTS.map((_, index) =>
    items.find(({ metadata }) => {
      const { sample, version } = readStoredObject(metadata);
      return sample === SAMPLE_MARK && version === String(index + 1);
    }),
  );
}

async function createSampleExperiment(
  ports: Writes,
  dataset: Dataset,
  index: number,
  versionIdText: string,
): Promise<void> {
  const template = SAMPLE_EXPERIMENTS[index];
  const [versionRowId] = [...(await ports.datasets.findLatestVersionIds([dataset.rowId])).values()];
  const version =
    versionRowId === undefined
      ? undefined
      : (await ports.datasets.findVersionsByRowIds([versionRowId])).get(versionRowId);
  if (!template || !version) return;
  const experiment =
    (await findExperiments(ports, dataset.rowId))[index] ??
    (await createExperiment(ports, {
      dataset,
      version,
      name: template.name,
      description: template.description,
      metadata: JSON.stringify({ sample: SAMPLE_MARK, version: String(index + 1), prompt: SAMPLE_PROMPT_NAME }),
      repetitions: 1,
      splits: [],
      projectDescription: 'Traces of the sample',
    }));
  if (experiment.successfulRunCount + experiment.failedRunCount === SAMPLE_CASES.length) return;
  const endMicros = BigInt(experiment.createdAt.getTime()) * 1_000n;
  const runs = toRuns(index, experiment.projectName, endMicros);
  const spans = runs.flatMap((run) => toSpans(index, run, versionIdText));
  const { receipt } = await ports.writes.submitSpans(
    toJournalText(experiment.projectName, spans),
    spans.length,
    experiment.projectName,
  );
  await ports.writes.waitFor(receipt);
  if (index === 0) await tagExperiment(ports, experiment.rowId, { name: BASELINE, description: null });
  // Failed runs have no evaluations. They come last, so a complete number of runs means that all evaluations are stored.
  await writeRuns(
    ports,
    dataset,
    experiment,
    index,
    runs.filter(({ error }) => error === null),
  );
  await writeRuns(
    ports,
    dataset,
    experiment,
    index,
    runs.filter(({ error }) => error !== null),
  );
}

async function writeRuns(
  ports: Writes,
  dataset: Dataset,
  experiment: Experiment,
  index: number,
  runs: readonly SampleRun[],
): Promise<void> {
  await Promise.all(
    runs.map(async (run) => {
      const example = await ports.datasets.findExampleByExternalId(dataset.rowId, run.one.id);
      // A user may have deleted it between two calls.
      if (!example) return;
      const runRowId = await writeRun(ports, experiment.rowId, toNewRun(run, example.rowId));
      if (run.error !== null) return;
      await Promise.all(toEvaluations(index, run).map((evaluation) => writeEvaluation(ports, runRowId, evaluation)));
    }),
  );
}
