import type { SpandrelClient } from '@spandrel/client';
import { type Action, UsageError } from '../command-line/command.ts';
import { confirmDeletion } from './confirm.ts';
import { findDatasetId, findProjectId, timeOf } from './find.ts';

type Deletion = (server: SpandrelClient, id: string, signal: AbortSignal) => Promise<unknown>;

const deletion =
  (noun: string, run: Deletion): Action =>
  async (invocation) => {
    const id = invocation.argument(0);
    await confirmDeletion(invocation, `${noun} ${id}`);
    await run(await invocation.client(), id, invocation.signal);
    await invocation.out.item({ deleted: true, target: noun, id }, () => `Deleted ${noun} ${id}.`);
  };

export const deleteProject = deletion('project', async (server, id, signal) => {
  const path = { project_identifier: await findProjectId(server, id, signal) };
  return server.DELETE('/v1/projects/{project_identifier}', { params: { path }, signal });
});

export const deleteTrace = deletion('trace', (server, id, signal) =>
  server.DELETE('/v1/traces/{trace_identifier}', { params: { path: { trace_identifier: id } }, signal }),
);

export const deleteSpan = deletion('span', (server, id, signal) =>
  server.DELETE('/v1/spans/{span_identifier}', { params: { path: { span_identifier: id } }, signal }),
);

export const deleteSession = deletion('session', (server, id, signal) =>
  server.DELETE('/v1/sessions/{session_identifier}', { params: { path: { session_identifier: id } }, signal }),
);

export const deleteDataset = deletion('dataset', async (server, id, signal) =>
  server.DELETE('/v1/datasets/{id}', { params: { path: { id: await findDatasetId(server, id, signal) } }, signal }),
);

export const deletePrompt = deletion('prompt', (server, id, signal) =>
  server.DELETE('/v1/prompts/{prompt_identifier}', { params: { path: { prompt_identifier: id } }, signal }),
);

export const deleteExperiment = deletion('experiment', (server, id, signal) =>
  server.DELETE('/v1/experiments/{experiment_id}', { params: { path: { experiment_id: id } }, signal }),
);

export const deleteAnnotationConfig = deletion('annotation config', async (server, id, signal) => {
  const params = { path: { config_identifier: id } };
  const { data } = await server.GET('/v1/annotation_configs/{config_identifier}', { params, signal });
  const path = { config_id: data?.data.id ?? id };
  return server.DELETE('/v1/annotation_configs/{config_id}', { params: { path }, signal });
});

type Noun = 'span' | 'trace' | 'session';

/** Deletes annotations of a project that match the flags. */
export const deleteAnnotations =
  (noun: Noun): Action =>
  async (invocation) => {
    const { client, text, isSet, out, signal } = invocation;
    const [start, end] = [timeOf(text('start-time'), 'start-time'), timeOf(text('end-time'), 'end-time')];
    const isRange = start !== undefined && end !== undefined;
    if (isSet('all') === isRange || (start === undefined) !== (end === undefined)) {
      throw new UsageError('Pass --all, or both --start-time and --end-time.');
    }
    const query = {
      name: text('name'),
      identifier: text('identifier'),
      annotator_kind: text('annotator-kind') as 'HUMAN' | 'LLM' | 'CODE' | undefined,
      start_time: start,
      end_time: end,
      ...(isSet('all') && { delete_all: true }),
    };
    const project = await invocation.project();
    await confirmDeletion(invocation, `the ${noun} annotations of project ${project} that match`);
    const params = { path: { project_identifier: project }, query };
    const server = await client();
    if (noun === 'span') await server.DELETE('/v1/projects/{project_identifier}/span_annotations', { params, signal });
    else if (noun === 'trace')
      await server.DELETE('/v1/projects/{project_identifier}/trace_annotations', { params, signal });
    else await server.DELETE('/v1/projects/{project_identifier}/session_annotations', { params, signal });
    const filter = JSON.parse(JSON.stringify(query)) as Record<string, unknown>;
    await out.item({ deleted: true, target: `${noun}-annotations`, filter }, () => `Deleted the ${noun} annotations.`);
  };
