import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { otlpRoutes, TRACE_PATHS } from '../../../src/api/otlp/trace-routes.ts';
import { restRoutes } from '../../../src/api/rest/routes.ts';
import { ask } from '../access/author-server.ts';
import {
  assertNoLeak,
  type Ids,
  MARKER,
  openPrivateServer,
  PRIVATE,
  type PrivateServer,
  withoutIds,
} from './private-server.ts';

interface Sent {
  readonly path: string;
  readonly json?: unknown;
}

/** Requests with IDs of a project. A stranger gets the same answers for the private project as for IDs that nothing has. */
type Requests = (ids: Ids, server: PrivateServer) => readonly (string | Sent)[];

const inProject =
  (rest: string, json?: (ids: Ids) => unknown): Requests =>
  (ids) =>
    [ids.project, ids.projectName].map((id) => ({
      path: `/v1/projects/${id}${rest}`,
      ...(json && { json: json(ids) }),
    }));
const one =
  (path: (ids: Ids) => string, json?: (ids: Ids, server: PrivateServer) => unknown): Requests =>
  (ids, server) => [{ path: path(ids), ...(json && { json: json(ids, server) }) }];
const all =
  (...requests: readonly Requests[]): Requests =>
  (ids, server) =>
    requests.flatMap((some) => some(ids, server));
const annotation = { name: 'quality', annotator_kind: 'HUMAN', result: { score: 1 } };
const span = {
  name: 'n',
  context: { trace_id: '7'.repeat(32), span_id: '7'.repeat(16) },
  span_kind: 'LLM',
  start_time: '2026-01-01T00:00:00Z',
  end_time: '2026-01-01T00:00:01Z',
  status_code: 'OK',
};
const byConfig =
  (rest: (server: PrivateServer) => string, json?: unknown): Requests =>
  (ids, server) =>
    [ids.project, ids.projectName].map((id) => ({
      path: `/v1/projects/${id}${rest(server)}`,
      ...(json !== undefined && { json }),
    }));
const onDataset =
  (path: (shared: PrivateServer['shared']) => string): Requests =>
  (_ids, { shared }) => [path(shared)];

/**
 * Every route. `[]`: it takes and returns nothing in a project, or needs an administrator, who reaches every project. A route
 * without parameters that only lists is called as it is.
 */
const ROUTES: Readonly<Record<string, Requests>> = {
  'GET /v1/projects': () => ['/v1/projects', `/v1/projects?name_contains=${MARKER}`, '/v1/projects?limit=1'],
  'GET /v1/projects/:project_identifier': inProject(''),
  // Names are unique on a server, so a taken name cannot be hidden: see below.
  'POST /v1/projects': () => [],
  'PUT /v1/projects/:project_identifier': inProject('', () => ({ description: 'x' })),
  'DELETE /v1/projects/:project_identifier': inProject(''),
  'GET /v1/projects/:project_identifier/access': inProject('/access'),
  'PATCH /v1/projects/:project_identifier/access': inProject('/access', () => ({ is_private: false })),
  'PUT /v1/projects/:project_identifier/access/members': inProject('/access/members', () => ({
    email: 'stranger@example.com',
    level: 'OWNER',
  })),
  'DELETE /v1/projects/:project_identifier/access/members': inProject('/access/members?group=g'),
  'GET /v1/projects/:project_identifier/spans': all(
    inProject('/spans'),
    inProject('/spans?trace_id=x'),
    one((ids) => `/v1/projects/open-project/spans?trace_id=${ids.traceOtel}`),
    one((ids) => `/v1/projects/open-project/spans?span_id=${ids.spanOtel}`),
  ),
  'GET /v1/projects/:project_identifier/spans/otlpv1': inProject('/spans/otlpv1'),
  // By name it would be created.
  'POST /v1/projects/:project_identifier/spans': one(
    ({ project }) => `/v1/projects/${project}/spans`,
    () => ({ data: [span] }),
  ),
  'DELETE /v1/spans/:span_identifier': all(
    one((ids) => `/v1/spans/${ids.span}`),
    one((ids) => `/v1/spans/${ids.spanOtel}`),
  ),
  'GET /v1/projects/:project_identifier/spans/export': all(
    inProject('/spans/export?format=jsonl'),
    inProject('/spans/export?format=parquet'),
    inProject('/spans/export?format=csv'),
    inProject('/spans/export?format=otlp-json'),
  ),
  'POST /v1/projects/:project_identifier/spans/export': inProject('/spans/export', () => ({ format: 'jsonl' })),
  'POST /v1/projects/:project_identifier/spans/import': one(
    ({ project }) => `/v1/projects/${project}/spans/import`,
    () => ({}),
  ),
  'POST /v1/spans': one(
    () => '/v1/spans',
    (ids) => ({ queries: [{}], project_name: ids.projectName }),
  ),
  'GET /v1/spans': one((ids) => `/v1/spans?project_name=${ids.projectName}`),
  'GET /v1/projects/:project_identifier/traces': all(
    inProject('/traces'),
    inProject('/traces?include_spans=true'),
    one((ids) => `/v1/projects/open-project/traces?session_identifier=${ids.sessionText}`),
  ),
  'DELETE /v1/traces/:trace_identifier': all(
    one((ids) => `/v1/traces/${ids.trace}`),
    one((ids) => `/v1/traces/${ids.traceOtel}`),
  ),
  'POST /v1/traces/transfer': all(
    one(
      () => '/v1/traces/transfer',
      (ids) => ({ trace_identifiers: [ids.trace], project_identifier: 'open-project' }),
    ),
    one(
      () => '/v1/traces/transfer',
      (ids) => ({ trace_identifiers: [ids.traceOtel], project_identifier: 'open-project' }),
    ),
    one(
      () => '/v1/traces/transfer',
      (ids, { open }) => ({ trace_identifiers: [open.traceOtel], project_identifier: ids.project }),
    ),
    one(
      () => '/v1/traces/transfer',
      (ids, { open }) => ({ trace_identifiers: [open.traceOtel], project_identifier: ids.projectName }),
    ),
  ),
  'GET /v1/projects/:project_identifier/sessions': inProject('/sessions'),
  'GET /v1/sessions/:session_identifier': all(
    one((ids) => `/v1/sessions/${ids.session}`),
    one((ids) => `/v1/sessions/${ids.sessionText}`),
  ),
  'DELETE /v1/sessions/:session_identifier': all(
    one((ids) => `/v1/sessions/${ids.session}`),
    one((ids) => `/v1/sessions/${ids.sessionText}`),
  ),
  'POST /v1/sessions/delete': all(
    one(
      () => '/v1/sessions/delete',
      (ids) => ({ session_identifiers: [ids.session] }),
    ),
    one(
      () => '/v1/sessions/delete',
      (ids) => ({ session_identifiers: [ids.sessionText] }),
    ),
  ),
  ...Object.fromEntries(
    (['span', 'trace', 'session', 'document'] as const).map((target) => {
      const idOf = (ids: Ids) =>
        target === 'session'
          ? { session_id: ids.sessionText }
          : target === 'trace'
            ? { trace_id: ids.traceOtel }
            : { span_id: ids.spanOtel, ...(target === 'document' && { document_position: 0 }) };
      return [
        `POST /v1/${target}_annotations`,
        all(
          one(
            () => `/v1/${target}_annotations?sync=true`,
            (ids) => ({ data: [{ ...annotation, ...idOf(ids) }] }),
          ),
          one(
            () => `/v1/${target}_annotations`,
            (ids) => ({ data: [{ ...annotation, ...idOf(ids) }] }),
          ),
        ),
      ];
    }),
  ),
  'POST /v1/span_notes': one(
    () => '/v1/span_notes',
    (ids) => ({ data: { span_id: ids.spanOtel, note: 'n' } }),
  ),
  'POST /v1/trace_notes': one(
    () => '/v1/trace_notes',
    (ids) => ({ data: { trace_id: ids.traceOtel, note: 'n' } }),
  ),
  'POST /v1/session_notes': one(
    () => '/v1/session_notes',
    (ids) => ({ data: { session_id: ids.sessionText, note: 'n' } }),
  ),
  ...Object.fromEntries(
    (['span', 'trace', 'session'] as const).flatMap((target) => {
      const path = `/v1/projects/:project_identifier/${target}_annotations`;
      const idsOf = (ids: Ids) =>
        `${target}_ids=${target === 'span' ? ids.spanOtel : target === 'trace' ? ids.traceOtel : ids.sessionText}`;
      return [
        [
          `GET ${path}`,
          all(
            (ids) =>
              [ids.project, ids.projectName].map((id) => `/v1/projects/${id}/${target}_annotations?${idsOf(ids)}`),
            one((ids) => `/v1/projects/open-project/${target}_annotations?${idsOf(ids)}`),
          ),
        ],
        [`DELETE ${path}`, inProject(`/${target}_annotations?name=quality-${MARKER}&delete_all=true`)],
      ];
    }),
  ),
  'GET /v1/annotation_configs': () => ['/v1/annotation_configs'],
  'GET /v1/annotation_configs/:config_identifier': () => [],
  'POST /v1/annotation_configs': () => [],
  'PUT /v1/annotation_configs/:config_id': () => [],
  'DELETE /v1/annotation_configs/:config_id': () => [],
  'GET /v1/projects/:project_identifier/annotation_configs': inProject('/annotation_configs'),
  'PUT /v1/projects/:project_identifier/annotation_configs/:config_identifier': byConfig(
    ({ shared }) => `/annotation_configs/${shared.config}`,
  ),
  'DELETE /v1/projects/:project_identifier/annotation_configs/:config_identifier': byConfig(
    ({ shared }) => `/annotation_configs/${shared.config}`,
  ),
  'PUT /v1/projects/:project_identifier/annotation_configs': byConfig(() => '/annotation_configs', {
    annotation_config_ids: [],
  }),
  'GET /v1/datasets/:id': onDataset(({ dataset }) => `/v1/datasets/${dataset}`),
  'GET /v1/datasets/:id/examples': onDataset(({ dataset }) => `/v1/datasets/${dataset}/examples`),
  'GET /v1/datasets/:id/changes': onDataset(({ dataset }) => `/v1/datasets/${dataset}/changes`),
  'GET /v1/datasets/:id/csv': onDataset(({ dataset }) => `/v1/datasets/${dataset}/csv`),
  'GET /v1/datasets/:id/jsonl': onDataset(({ dataset }) => `/v1/datasets/${dataset}/jsonl`),
  'GET /v1/datasets/:id/jsonl/openai_ft': onDataset(({ dataset }) => `/v1/datasets/${dataset}/jsonl/openai_ft`),
  'GET /v1/datasets/:id/jsonl/openai_evals': onDataset(({ dataset }) => `/v1/datasets/${dataset}/jsonl/openai_evals`),
  'POST /v1/datasets/upload': one(
    () => '/v1/datasets/upload?sync=true',
    (ids) => ({
      action: 'append',
      name: `of-${ids.sessionText}`,
      inputs: [{ a: 1 }],
      outputs: [{}],
      metadata: [{}],
      span_ids: [ids.spanOtel],
    }),
  ),
  'POST /v1/datasets/upload/spans': all(
    ...(['project', 'projectName'] as const).map((name) =>
      one(
        () => '/v1/datasets/upload/spans',
        (ids) => ({ action: 'create', name: 'of-spans', project_identifier: ids[name], filter_condition: '' }),
      ),
    ),
  ),
  // Reads span IDs of a file like `POST /v1/datasets/upload`.
  'POST /v1/dataset_uploads': () => [],
  'GET /v1/dataset_uploads/:upload_id': () => [],
  'POST /v1/dataset_uploads/parquet_preview': () => [],
  'POST /v1/datasets/:dataset_identifier/spans': one(
    () => '/v1/datasets/cases-b/spans',
    (ids) => ({ span_ids: [ids.span] }),
  ),
  'POST /v1/dataset_sources/:source_id/examples': one(
    (ids) => `/v1/dataset_sources/${ids.source}/examples`,
    () => ({}),
  ),
  'GET /v1/datasets/:dataset_id/experiments': onDataset(({ dataset }) => `/v1/datasets/${dataset}/experiments`),
  'GET /v1/experiments/:experiment_id': onDataset(({ experiment }) => `/v1/experiments/${experiment}`),
  // A run shows the trace ID that its client has sent with it, stored or not.
  // It shows trace IDs, as the files of an experiment do.
  'GET /v1/experiment_comparisons/csv': () => [],
  'GET /v1/experiment_comparisons/report': onDataset(
    ({ experiment, otherExperiment }) =>
      `/v1/experiment_comparisons/report?experiment_id=${experiment}&experiment_id=${otherExperiment}`,
  ),
  'GET /v1/experiments/:experiment_id/json': () => [],
  'GET /v1/experiments/:experiment_id/csv': () => [],
  'GET /v1/experiments/:experiment_id/runs': () => [],
  'GET /v1/experiments/:experiment_id/incomplete-runs': onDataset(
    ({ experiment }) => `/v1/experiments/${experiment}/incomplete-runs`,
  ),
  'POST /v1/cost_recomputations': all(
    one(
      () => '/v1/cost_recomputations',
      (ids) => ({ project_identifier: ids.project }),
    ),
    one(
      () => '/v1/cost_recomputations',
      (ids) => ({ project_identifier: ids.projectName }),
    ),
  ),
  'GET /v1/cost_recomputations/:recomputation_id': one((ids) => `/v1/cost_recomputations/${ids.recomputation}`),
  ...Object.fromEntries(TRACE_PATHS.map((path) => [`POST ${path}`, () => []])),
  'GET /v1/ingest/errors': () => ['/v1/ingest/errors'],
  'GET /v1/ingest/status': () => [],
  'GET /openapi.json': () => [],
  'GET /docs': () => [],
};

/** Routes of users, keys, the audit log, prompts, datasets, experiments, secrets and chats, which belong to no project. */
const WITHOUT_PROJECT =
  /^\w+ \/v1\/(users?|system|audit_log|prompts|prompt_versions|dataset_labels|secrets|experiment_evaluations|chat)(\/|$)/;
const OF_DATASET =
  /^(PATCH|DELETE|POST|PUT) \/v1\/(datasets|experiments)\/:|^GET \/v1\/(datasets(\/:(id\/versions|dataset_identifier\/labels))?|experiments\/:experiment_id\/(tags|incomplete-evaluations))$/;

/** A response without values that each request makes: IDs in JSON, and the time of a report. */
const withoutNewValues = (text: string) => text.replaceAll(/"\w*id": ?"[^"]+"|\bCreated on [\d :-]+ UTC/g, '');

let server: PrivateServer;
const cleanUp = cleanUpAfter(after);
before(async () => {
  server = await openPrivateServer({ after: cleanUp });
});

describe('a stranger to a private project', () => {
  test('finds nothing of it on any REST route, and IDs in it are as IDs that nothing has', async () => {
    const routes = [
      ...otlpRoutes(server.ingest, () => undefined),
      ...restRoutes({ domainFor: server.domainFor, version: '0', uploadDir: tmpdir() }),
    ];
    for (const { method, path } of routes) {
      const key = `${method} ${path}`;
      const requests = ROUTES[key];
      if (requests === undefined) {
        assert.ok(WITHOUT_PROJECT.test(key) || OF_DATASET.test(key), `${key} is not in the table`);
        continue;
      }
      const [known, unknown] = [requests(server.private, server), requests(server.unknown, server)];
      for (const [index, sent] of known.entries()) {
        const reply = await send(method, sent);
        const expected = await send(method, unknown[index]!);
        const label = `${method} ${JSON.stringify(sent)}`;
        assert.equal(reply.status, expected.status, `${label}: ${reply.text} instead of ${expected.text}`);
        const [text, expectedText] = [
          withoutIds(reply.text, server.private),
          withoutIds(expected.text, server.unknown),
        ].map(withoutNewValues);
        assert.equal(text, expectedText, label);
        assertNoLeak(reply.text, server, label);
      }
    }
  });

  test('can neither send to it nor create it, and learns only that the name is taken', async () => {
    const denied = await server.stranger.call('POST', `/v1/projects/${PRIVATE}/spans`, { data: [span] });
    assert.deepEqual([denied.status, denied.text], [403, 'You may not send data to a project of this name.']);
    const created = await server.stranger.call('POST', '/v1/projects', { name: PRIVATE });
    assert.deepEqual([created.status, created.text], [409, `Project with name ${PRIVATE} already exists`]);
  });

  test('has changed nothing in it', async () => {
    await server.settled();
    const { project } = await ask(
      server.owner,
      `{project: getProjectByName(name: "${PRIVATE}") {
        isPrivate recordCount traceCount savedViews {name}
        spans(first: 5) {edges {node {spanAnnotations {name} spanNotes {explanation}}}}}}`,
    );
    assert.equal(project.isPrivate, true);
    assert.deepEqual([project.recordCount, project.traceCount, project.savedViews.length], [1, 1, 1]);
    const [{ node }] = project.spans.edges;
    assert.deepEqual(
      [node.spanAnnotations.map(({ name }: { name: string }) => name), node.spanNotes.length],
      [['note', `quality-${MARKER}`], 1],
    );
  });
});

function send(method: string, sent: string | Sent) {
  const { path, json } = typeof sent === 'string' ? { path: sent } : sent;
  return server.stranger.call(method, path, json);
}
