import { bodyOf, type CallOptions, clientOf } from '../client.ts';
import type { Project } from '../generated/api.ts';
import { ArgumentError } from '../http/errors.ts';
import { type List, listAll, toPage } from '../pages/list.ts';
import { type ProjectArgument, toProjectIdentifier } from './project-selector.ts';

export type { Project };

const PAGE_ROW_COUNT = 100;

/** All projects, or those whose name contains a text. */
export function getProjects({
  client,
  signal,
  nameContains,
}: CallOptions & { readonly nameContains?: string } = {}): List<Project> {
  return listAll(async (cursor) =>
    toPage(
      await bodyOf(
        clientOf(client).GET('/v1/projects', {
          params: { query: { limit: PAGE_ROW_COUNT, cursor, name_contains: nameContains } },
          signal,
        }),
      ),
    ),
  );
}

/** A project by ID or name. */
export async function getProject({
  client,
  signal,
  project,
}: CallOptions & { readonly project?: ProjectArgument }): Promise<Project> {
  const server = clientOf(client);
  const identifier = toProjectIdentifier(project, server);
  const params = { path: { project_identifier: identifier } };
  return (await bodyOf(server.GET('/v1/projects/{project_identifier}', { params, signal }))).data;
}

/** Creates a project. A name that is taken is an `HttpError` with status 409. */
export async function createProject({
  client,
  signal,
  name,
  description,
}: CallOptions & { readonly name: string; readonly description?: string | null }): Promise<Project> {
  if (!name.trim()) throw new ArgumentError('A project needs a name.');
  const body = { name, ...(description != null && { description }) };
  return (await bodyOf(clientOf(client).POST('/v1/projects', { body, signal }))).data;
}

/** Changes the description of a project. */
export async function updateProject({
  client,
  signal,
  project,
  description,
}: CallOptions & { readonly project?: ProjectArgument; readonly description: string }): Promise<Project> {
  const server = clientOf(client);
  const params = { path: { project_identifier: toProjectIdentifier(project, server) } };
  return (await bodyOf(server.PUT('/v1/projects/{project_identifier}', { params, body: { description }, signal })))
    .data;
}

/** Deletes a project with its traces. */
export async function deleteProject({
  client,
  signal,
  project,
}: CallOptions & { readonly project: ProjectArgument }): Promise<void> {
  const server = clientOf(client);
  const params = { path: { project_identifier: toProjectIdentifier(project, server) } };
  await server.DELETE('/v1/projects/{project_identifier}', { params, signal });
}
