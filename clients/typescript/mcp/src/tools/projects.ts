import { z } from 'zod';
import { readList } from '../answers/read-list.ts';
import {
  bodyOf,
  CursorParameter,
  defineTool,
  Identifier,
  limitOf,
  ProjectParameter,
  Row,
  requireProject,
  rowsOf,
  type Tool,
} from '../tool.ts';

const named = { id: z.string(), name: z.string() };

/** Tools for projects, sessions and annotation configurations. */
export const PROJECT_TOOLS: readonly Tool[] = [
  defineTool({
    names: ['list-projects'],
    title: 'List projects',
    description: 'Projects, the newest first. A project holds the traces of one application.',
    effect: 'read',
    input: {
      limit: limitOf(100, 500),
      cursor: CursorParameter,
      include_experiment_projects: z.boolean().default(false).describe('Also list projects of experiments.'),
    },
    output: rowsOf('projects', named),
    run: ({ limit, cursor, include_experiment_projects }, context) =>
      readList({
        ...{ key: 'projects', limit, cursor, context },
        read: (page) => {
          const query = { ...page, include_experiment_projects };
          return bodyOf(context.client.GET('/v1/projects', { params: { query }, signal: context.signal }));
        },
      }),
  }),
  defineTool({
    names: ['get-project'],
    title: 'Get a project',
    description: 'A project by name or ID.',
    effect: 'read',
    input: { project_identifier: Identifier },
    output: Row({ project: Row(named).optional() }),
    async run({ project_identifier }, { client, signal }) {
      const params = { path: { project_identifier } };
      const { data } = await bodyOf(client.GET('/v1/projects/{project_identifier}', { params, signal }));
      return { data: { project: data } };
    },
  }),
  defineTool({
    names: ['list-sessions'],
    title: 'List sessions',
    description: 'Sessions (conversations) of a project. A session consists of traces.',
    effect: 'read',
    input: {
      project_identifier: ProjectParameter,
      limit: limitOf(10, 100),
      order: z.enum(['asc', 'desc']).default('desc'),
      cursor: CursorParameter,
    },
    output: rowsOf('sessions', { id: z.string() }),
    async run({ project_identifier, limit, order, cursor }, context) {
      const path = { project_identifier: requireProject(project_identifier, context) };
      const read = (page: { limit: number; cursor: string | undefined }) =>
        bodyOf(
          context.client.GET('/v1/projects/{project_identifier}/sessions', {
            params: { path, query: { ...page, order } },
            signal: context.signal,
          }),
        );
      return readList({ key: 'sessions', limit, cursor, context, read });
    },
  }),
  defineTool({
    names: ['get-session'],
    title: 'Get a session',
    description: 'A session with its traces; get-trace shows one of them.',
    effect: 'read',
    input: {
      session_identifier: Identifier.describe('ID of the session, of the application or of the server.'),
      include_annotations: z.boolean().default(false),
    },
    output: Row({ session: Row({ id: z.string() }).optional() }),
    async run({ session_identifier, include_annotations }, { client, signal }) {
      const params = { path: { session_identifier } };
      const { data } = await bodyOf(client.GET('/v1/sessions/{session_identifier}', { params, signal }));
      if (!include_annotations) return { data: { session: data } };
      const { data: annotations } = await bodyOf(
        client.GET('/v1/projects/{project_identifier}/session_annotations', {
          params: {
            path: { project_identifier: data.project_id },
            query: { session_ids: [data.session_id], limit: 100 },
          },
          signal,
        }),
      );
      return { data: { session: data, annotations } };
    },
  }),
  defineTool({
    names: ['list-annotation-configs'],
    title: 'List annotation configurations',
    description: 'Annotations that people and evaluators give: names, kinds, labels and ranges.',
    effect: 'read',
    input: { limit: limitOf(100, 500), cursor: CursorParameter },
    output: rowsOf('annotationConfigs', { id: z.string() }),
    run: ({ limit, cursor }, context) =>
      readList({
        ...{ key: 'annotationConfigs', limit, cursor, context },
        read: (query) =>
          bodyOf(context.client.GET('/v1/annotation_configs', { params: { query }, signal: context.signal })),
      }),
  }),
];
