import { HttpError, type SpandrelClient } from '@spandrel/client';
import { CommandError, UsageError } from '../command-line/command.ts';
import { EXIT } from '../exit-codes.ts';
import { dataOf, readPages } from './pages.ts';

/** Characters with which a name would be another path. */
const PATH_CHARACTERS = /[/?#]/;

/** What a path needs to name a project. Names with `/`, `?` or `#` are looked up in the list. */
export async function findProjectId(client: SpandrelClient, name: string, signal: AbortSignal): Promise<string> {
  if (!PATH_CHARACTERS.test(name)) return name;
  for await (const project of readPages((cursor) =>
    client.GET('/v1/projects', { params: { query: { name_contains: name, cursor, limit: 100 } }, signal }),
  ))
    if (project.name === name) return project.id;
  throw new CommandError(`There is no project "${name}". spandrel project list shows the names.`, EXIT.failure);
}

/** The ID of a project that GraphQL takes. @param project what a path needs to name the project */
export async function findProjectNodeId(client: SpandrelClient, project: string, signal: AbortSignal): Promise<string> {
  const params = { path: { project_identifier: project } };
  return dataOf(await client.GET('/v1/projects/{project_identifier}', { params, signal })).id;
}

/** The ID of a dataset by its ID or name. */
export async function findDatasetId(client: SpandrelClient, identifier: string, signal: AbortSignal): Promise<string> {
  const named = await client.GET('/v1/datasets', { params: { query: { name: identifier, limit: 1 } }, signal });
  const [found] = dataOf(named);
  if (found) return found.id;
  if (PATH_CHARACTERS.test(identifier)) throw noDataset(identifier);
  try {
    const byId = await client.GET('/v1/datasets/{id}', { params: { path: { id: identifier } }, signal });
    return byId.data?.data.id ?? identifier;
  } catch (error) {
    if (error instanceof HttpError && (error.status === 404 || error.status === 422)) throw noDataset(identifier);
    throw error;
  }
}

const noDataset = (identifier: string) =>
  new CommandError(`No dataset has the name or ID "${identifier}". spandrel dataset list shows them.`, EXIT.failure);

/** @throws {CommandError} if there is no experiment of this ID */
export async function checkExperiment(client: SpandrelClient, id: string, signal: AbortSignal): Promise<void> {
  const params = { path: { experiment_id: id } };
  await client.GET('/v1/experiments/{experiment_id}', { params, signal }).catch((error: unknown) => {
    if (!(error instanceof HttpError) || (error.status !== 404 && error.status !== 422)) throw error;
    const next = 'spandrel experiment list --dataset <name> shows the IDs.';
    throw new CommandError(`No experiment has the ID "${id}". ${next}`, EXIT.failure);
  });
}

/** Start of the range that `--since` or `--last-n-minutes` names, as an ISO time. */
export function startTimeOf(since: string | undefined, minutes: number | undefined): string | undefined {
  if (since !== undefined && minutes !== undefined)
    throw new UsageError('Pass --since or --last-n-minutes, and not both.');
  if (minutes !== undefined) return new Date(Date.now() - minutes * 60_000).toISOString();
  return timeOf(since, 'since');
}

/** @throws {UsageError} for a text that is no time */
export function timeOf(text: string | undefined, flag: string): string | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  throw new UsageError(`--${flag} must be a time such as 2026-01-31T08:00:00Z, received "${text}".`);
}
