import { fromVersion } from '../../components/prompt/variant/from-version.ts';
import type { Connection, Variant } from '../../components/prompt/variant/variant.ts';
import { toVersionContent } from '../../components/prompt/version-content.ts';
import { RequestFailure, send } from '../../data/request.ts';
import { type PlaygroundRecordedData, playgroundRecorded } from './generated/runs.ts';
import { type Draft, draftOf, type RunSettings, VARIANT_COUNT_MAX } from './state/draft.ts';

/** A recorded experiment, with the variant as it ran. */
export interface RecordedRun {
  readonly experimentId: string;
  readonly name: string;
  readonly datasetId: string;
  readonly variant: Variant;
}

type Experiment = Extract<PlaygroundRecordedData['node'], { readonly __typename: 'Experiment' }>;
type Job = NonNullable<Experiment['job']>;
type Task = NonNullable<Job['taskConfig']>;

/**
 * Reads the prompts, the dataset and the settings with which experiments ran. The settings are those of the first one.
 *
 * @throws {RequestFailure} also for experiments that a client ran, whose prompts are not recorded
 */
export async function loadExperiments(
  ids: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly draft: Draft; readonly recorded: readonly RecordedRun[] }> {
  const experiments = await Promise.all(ids.slice(0, VARIANT_COUNT_MAX).map((id) => loadExperiment(id, signal)));
  const [{ experiment, job, task }] = experiments as [Loaded];
  const { dataset, datasetSplits } = experiment;
  if (experiments.some((each) => each.experiment.dataset.id !== dataset.id)) {
    throw new RequestFailure(
      'unopenable',
      'These experiments cannot be opened together. They are of different datasets. Open the experiments of one dataset.',
    );
  }
  const recorded = experiments.map((each) => ({
    experimentId: each.experiment.id,
    name: each.experiment.name,
    datasetId: dataset.id,
    variant: toVariant(each),
  }));
  const source = {
    type: 'dataset',
    datasetId: dataset.id,
    splitIds: datasetSplits.edges.map(({ node }) => node.id),
  } as const;
  const variants = recorded.map(({ variant }) => variant);
  return { draft: draftOf(variants, source, settingsOf(experiment, job, task)), recorded };
}

interface Loaded {
  readonly experiment: Experiment;
  readonly job: Job;
  readonly task: Task;
}

async function loadExperiment(id: string, signal: AbortSignal): Promise<Loaded> {
  const { node } = await send(playgroundRecorded, { id }, signal);
  if (node.__typename !== 'Experiment') {
    throw new RequestFailure(
      'unopenable',
      'The experiment does not exist. The ID does not belong to an experiment. It may have been deleted.',
    );
  }
  const task = node.job?.taskConfig;
  if (!node.job || !task) {
    throw new RequestFailure(
      'unopenable',
      'The experiment cannot be opened in the playground. A client ran it, so the server does not know its prompt.',
    );
  }
  return { experiment: node, job: node.job, task };
}

function toVariant({ experiment, task: { prompt, connection, customProvider } }: Loaded): Variant {
  const { promptVersion: version, prompt: stored } = prompt;
  const variant = fromVersion(
    toVersionContent(prompt.content),
    customProvider?.id ?? null,
    version && stored
      ? {
          ...{ promptId: stored.id, promptName: stored.name },
          ...{ versionId: version.id, sequenceNumber: version.sequenceNumber, tagName: null },
        }
      : null,
  );
  const api = connection && 'openaiApiType' in connection ? connection.openaiApiType : variant.model.api;
  // A draft of the link keeps the ID, so that it still has its recorded runs after a reload.
  return { ...variant, id: experiment.id, model: { ...variant.model, api, connection: toConnection(connection) } };
}

/** The fields of an address that are there. */
function toConnection(connection: Task['connection']): Connection {
  if (!connection) return {};
  const { __typename: _, ...fields } = connection;
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => name !== 'openaiApiType' && value));
}

function settingsOf(
  { repetitions }: Experiment,
  job: Job,
  { playgroundConfig, streamModelOutput }: Task,
): Partial<RunSettings> {
  const { maxCalls, maxCost } = job.budget;
  return {
    repetitions,
    isStreamed: streamModelOutput,
    concurrency: job.maxConcurrency,
    ...(job.usesCache && { usesCache: true }),
    variablesPath: playgroundConfig?.templateVariablesPath ?? '',
    messagesPath: playgroundConfig?.appendedMessagesPath ?? '',
    evaluatorIds: job.datasetEvaluators.edges.map(({ node }) => node.id),
    ...((maxCalls !== null || maxCost !== null) && {
      budget: { ...(maxCalls !== null && { maxCalls }), ...(maxCost !== null && { maxCost }) },
    }),
  };
}
