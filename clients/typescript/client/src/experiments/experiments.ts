import { bodyOf, type CallOptions, clientOf } from '../client.ts';
import { requireIdentifier } from '../datasets/dataset-selector.ts';
import { ArgumentError } from '../http/errors.ts';
import { toJsonValue } from '../http/json-value.ts';
import { type List, listAll } from '../pages/list.ts';
import {
  type ExperimentInfo,
  type ExperimentRun,
  type RanExperiment,
  toExperimentInfo,
  toExperimentRun,
} from './experiment-types.ts';

const PAGE_ROW_COUNT = 50;
const RUN_PAGE_ROW_COUNT = 100;

/** Creates an experiment over the examples that a dataset has at a version, without running it. */
export async function createExperiment({
  client,
  signal,
  datasetId,
  datasetVersionId,
  experimentName,
  experimentDescription,
  experimentMetadata = {},
  splits,
  repetitions = 1,
}: CallOptions & {
  readonly datasetId: string;
  readonly datasetVersionId?: string;
  readonly experimentName?: string;
  readonly experimentDescription?: string;
  readonly experimentMetadata?: Readonly<Record<string, unknown>>;
  readonly splits?: readonly string[];
  readonly repetitions?: number;
}): Promise<ExperimentInfo> {
  if (!Number.isSafeInteger(repetitions) || repetitions < 1) {
    throw new ArgumentError(`repetitions must be a whole number from 1, and is ${repetitions}.`);
  }
  const body = {
    repetitions,
    metadata: toJsonValue(experimentMetadata) as Record<string, unknown>,
    ...(experimentName && { name: experimentName }),
    ...(experimentDescription && { description: experimentDescription }),
    ...(datasetVersionId && { version_id: datasetVersionId }),
    ...(splits && splits.length > 0 && { splits: [...splits] }),
  };
  const params = { path: { dataset_id: requireIdentifier(datasetId, 'datasetId') } };
  const call = clientOf(client).POST('/v1/datasets/{dataset_id}/experiments', { params, body, signal });
  return toExperimentInfo((await bodyOf(call)).data);
}

interface OfExperiment extends CallOptions {
  readonly experimentId: string;
}

/** An experiment without its runs. */
export async function getExperimentInfo({ client, signal, experimentId }: OfExperiment): Promise<ExperimentInfo> {
  const params = { path: { experiment_id: requireIdentifier(experimentId, 'experimentId') } };
  const call = clientOf(client).GET('/v1/experiments/{experiment_id}', { params, signal });
  return toExperimentInfo((await bodyOf(call)).data);
}

/** The runs of an experiment as a list that is read page by page. */
export function listExperimentRuns({
  client,
  signal,
  experimentId,
  pageSize = RUN_PAGE_ROW_COUNT,
}: OfExperiment & { readonly pageSize?: number }): List<ExperimentRun> {
  return listAll(async (cursor) => {
    const path = { experiment_id: requireIdentifier(experimentId, 'experimentId') };
    const params = { path, query: { limit: pageSize, cursor } };
    const call = clientOf(client).GET('/v1/experiments/{experiment_id}/runs', { params, signal });
    const { data, next_cursor: nextCursor } = await bodyOf(call);
    return { items: data.map(toExperimentRun), nextCursor };
  });
}

/** All runs of an experiment. */
export async function getExperimentRuns(
  options: OfExperiment & { readonly pageSize?: number },
): Promise<{ runs: ExperimentRun[] }> {
  return { runs: await listExperimentRuns(options) };
}

/** An experiment with its runs by ID. */
export async function getExperiment(options: OfExperiment): Promise<RanExperiment> {
  const [info, { runs }] = await Promise.all([getExperimentInfo(options), getExperimentRuns(options)]);
  return { ...info, runs: toRunsById(runs) };
}

/** @internal */
export const toRunsById = (runs: readonly ExperimentRun[]): Record<string, ExperimentRun> =>
  Object.fromEntries(runs.map((run) => [run.id, run]));

/** All experiments of a dataset, the newest first. */
export function listExperiments({
  client,
  signal,
  datasetId,
}: CallOptions & { readonly datasetId: string }): List<ExperimentInfo> {
  return listAll(async (cursor) => {
    const path = { dataset_id: requireIdentifier(datasetId, 'datasetId') };
    const params = { path, query: { limit: PAGE_ROW_COUNT, cursor } };
    const call = clientOf(client).GET('/v1/datasets/{dataset_id}/experiments', { params, signal });
    const { data, next_cursor: nextCursor } = await bodyOf(call);
    return { items: data.map(toExperimentInfo), nextCursor };
  });
}

/** Deletes an experiment, and with `deleteProject` the traces of its tasks. */
export async function deleteExperiment({
  client,
  signal,
  experimentId,
  deleteProject = false,
}: OfExperiment & { readonly deleteProject?: boolean }): Promise<void> {
  const path = { experiment_id: requireIdentifier(experimentId, 'experimentId') };
  const params = { path, query: { delete_project: deleteProject } };
  await clientOf(client).DELETE('/v1/experiments/{experiment_id}', { params, signal });
}
