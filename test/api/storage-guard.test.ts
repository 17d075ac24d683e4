import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { after, before, describe, test } from 'node:test';
import type { SignedInCaller } from '../../src/model/access/caller.ts';
import { SpandrelError } from '../../src/model/errors.ts';
import { cleanUpAfter } from '../metadata-store/fixtures.ts';
import { createGate } from '../../src/server/guards/gate.ts';
import { otlpRoutes } from '../../src/api/otlp/trace-routes.ts';
import { traceServiceMethods } from '../../src/api/otlp/trace-service.ts';
import { restRoutes } from '../../src/api/rest/routes.ts';
import { createSchema } from '../../src/api/graphql/schema.ts';
import { sampleDocument } from './graphql-samples.ts';
import { openTestServer, type TestServer } from './test-server.ts';

/** Writes that only delete stay possible: a user frees storage with them. A test of credentials stores nothing. */
const OPEN_MUTATIONS =
  /^(delete|remove|revoke|unlink|unset|untag|clear|stop|resume|dismiss|reinstate|end|patchUser$|patchViewer$|testGenerative)/;
/** Deletes examples by adding a version to the dataset, which keeps the former one. */
const BLOCKED_DELETIONS: ReadonlySet<string> = new Set(['deleteDatasetExamples']);
/** Routes that neither add nor change anything, beside those with the methods GET and DELETE. */
const OPEN_ROUTES: ReadonlySet<string> = new Set([
  'POST /v1/spans',
  'POST /v1/projects/:project_identifier/spans/export',
  'POST /v1/sessions/delete',
  // The public contract leaves it open.
  'POST /v1/chat/completions',
]);

/** REST routes and the mutations that do the same. */
const TWINS: readonly (readonly [route: string, ...mutations: string[]])[] = [
  ['POST /v1/projects', 'createProject'],
  ['PUT /v1/projects/:project_identifier', 'patchProject'],
  ['DELETE /v1/projects/:project_identifier', 'deleteProject'],
  ['DELETE /v1/traces/:trace_identifier', 'deleteTraces'],
  ['POST /v1/traces/transfer', 'transferTracesToProject'],
  ['POST /v1/span_annotations', 'createSpanAnnotations', 'patchSpanAnnotations'],
  ['POST /v1/trace_annotations', 'createTraceAnnotations', 'patchTraceAnnotations'],
  ['POST /v1/session_annotations', 'createProjectSessionAnnotations', 'updateProjectSessionAnnotations'],
  ['POST /v1/document_annotations', 'createDocumentAnnotations', 'patchDocumentAnnotations'],
  ['POST /v1/span_notes', 'createSpanNote'],
  ['POST /v1/trace_notes', 'createTraceNote'],
  ['POST /v1/session_notes', 'createProjectSessionNote'],
  ['DELETE /v1/projects/:project_identifier/span_annotations', 'deleteProjectSpanAnnotations'],
  ['DELETE /v1/projects/:project_identifier/trace_annotations', 'deleteProjectTraceAnnotations'],
  ['DELETE /v1/projects/:project_identifier/session_annotations', 'deleteProjectSessionAnnotations'],
  ['POST /v1/annotation_configs', 'createAnnotationConfig'],
  ['PUT /v1/annotation_configs/:config_id', 'updateAnnotationConfig'],
  ['DELETE /v1/annotation_configs/:config_id', 'deleteAnnotationConfigs'],
  ['PUT /v1/projects/:project_identifier/annotation_configs/:config_identifier', 'addAnnotationConfigToProject'],
  [
    'DELETE /v1/projects/:project_identifier/annotation_configs/:config_identifier',
    'removeAnnotationConfigFromProject',
  ],
  ['POST /v1/datasets/upload', 'createDataset', 'addExamplesToDataset'],
  ['POST /v1/datasets/upload/spans', 'addSpansToDataset'],
  ['POST /v1/dataset_uploads'],
  ['POST /v1/dataset_uploads/parquet_preview'],
  ['PATCH /v1/datasets/:id', 'patchDataset'],
  ['DELETE /v1/datasets/:id', 'deleteDataset'],
  ['POST /v1/datasets/:dataset_identifier/splits', 'createDatasetSplit', 'createDatasetSplitWithExamples'],
  ['PATCH /v1/datasets/:dataset_identifier/splits/:split_id', 'patchDatasetSplit', 'setDatasetExampleSplits'],
  ['DELETE /v1/datasets/:dataset_identifier/splits/:split_id', 'deleteDatasetSplits'],
  ['POST /v1/dataset_labels', 'createDatasetLabel'],
  ['PATCH /v1/dataset_labels/:label_id', 'patchDatasetLabel'],
  ['DELETE /v1/dataset_labels/:label_id', 'deleteDatasetLabels'],
  ['PUT /v1/datasets/:dataset_identifier/labels', 'setDatasetLabels'],
  ['PATCH /v1/experiments/:experiment_id', 'patchExperiment'],
  ['DELETE /v1/experiments/:experiment_id', 'deleteExperiments'],
  ['POST /v1/experiments/:experiment_id/tags', 'setExperimentBaseline'],
  ['POST /v1/prompts', 'createChatPrompt', 'createChatPromptVersion', 'clonePrompt'],
  ['PATCH /v1/prompts/:prompt_identifier', 'patchPrompt'],
  ['DELETE /v1/prompts/:prompt_identifier', 'deletePrompt'],
  ['POST /v1/prompt_versions/:prompt_version_id/tags', 'setPromptVersionTag'],
  ['DELETE /v1/prompt_versions/:prompt_version_id/tags/:tag_name', 'deletePromptVersionTag'],
];

const ADMIN_SECRET = `admin-0${'b'.repeat(30)}`;

const ADMINISTRATOR: SignedInCaller = {
  kind: 'signedIn',
  credential: 'adminSecret',
  credentialRowId: null,
  user: { rowId: 1, role: 'SYSTEM', username: 'system', email: null, groups: [] },
  scope: 'ALL',
  projects: null,
  signal: new AbortController().signal,
};

let server: TestServer;
const cleanUp = cleanUpAfter(after);
before(async () => {
  // With sign-in, so that rights that need an identity are not what blocks.
  const settings = { ENABLE_AUTH: 'true', SECRET: `secret-0${'a'.repeat(30)}`, ADMIN_SECRET };
  server = await openTestServer({ after: cleanUp }, { settings, storageLock: () => 'full' });
});

describe('full storage', () => {
  test('blocks every mutation that does more than delete, before its input is read', async () => {
    const blocked = await findBlockedMutations();

    const names = Object.keys(createSchema().getMutationType()!.getFields());
    const expected = names.filter((name) => BLOCKED_DELETIONS.has(name) || !OPEN_MUTATIONS.test(name));
    assert.deepEqual([...blocked].sort(), expected.sort());
  });

  test('blocks every REST and OTLP route that does more than read or delete', () => {
    const expected = writeRoutes().filter((name) => !OPEN_ROUTES.has(name) && !name.startsWith('DELETE '));

    assert.deepEqual(findBlockedRoutes().sort(), expected.sort());
  });

  test('blocks a REST route exactly where it blocks the same mutation', async () => {
    const blockedMutations = await findBlockedMutations();
    const blockedRoutes = new Set(findBlockedRoutes());
    const routes = new Set(writeRoutes());

    for (const [route, ...mutations] of TWINS) {
      assert.ok(routes.has(route), `there is no route ${route}`);
      for (const name of mutations) assert.equal(blockedMutations.has(name), blockedRoutes.has(route), name);
    }
  });

  test('blocks OTLP over gRPC', () => {
    const [method] = traceServiceMethods(server.ingest, () => undefined);
    const gate = createGate({ isReadOnly: false, storageLock: () => 'full' });

    assert.ok(isStorageFull(() => gate.enterMethod(() => undefined, method!)));
  });

  test('is no part of the schema that clients see', () => {
    const directives = createSchema()
      .getDirectives()
      .map(({ name }) => name);

    assert.ok(directives.includes('include') && !directives.includes('blockedWhenStorageFull'), String(directives));
  });
});

const allRoutes = () => [
  ...otlpRoutes(server.ingest, () => undefined),
  ...restRoutes({ domainFor: () => server.domain, version: '0', uploadDir: tmpdir() }),
];

const writeRoutes = (): string[] =>
  allRoutes()
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`);

function isStorageFull(enter: () => unknown): boolean {
  try {
    enter();
    return false;
  } catch (error) {
    return error instanceof SpandrelError && error.code === 'STORAGE_FULL';
  }
}

function findBlockedRoutes(): string[] {
  const authenticate = () => ADMINISTRATOR;
  const gate = createGate({ isReadOnly: false, storageLock: () => 'full', authenticate });
  return allRoutes()
    .filter((route) =>
      isStorageFull(() =>
        gate.enter({ method: 'POST', path: '/', clientAddress: '127.0.0.1', header: () => undefined }, route),
      ),
    )
    .map(({ method, path }) => `${method} ${path}`);
}

/** Sends each mutation with values that have the right types and nothing else. */
async function findBlockedMutations(): Promise<Set<string>> {
  const { address } = server;
  const blocked = new Set<string>();
  for (const field of Object.values(createSchema().getMutationType()!.getFields())) {
    const query = sampleDocument('mutation', field);
    const response = await fetch(`${address}/graphql`, {
      method: 'POST',
      headers: { connection: 'close', 'content-type': 'application/json', authorization: `Bearer ${ADMIN_SECRET}` },
      body: JSON.stringify({ query }),
    });
    const { errors = [] } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
    const codes = errors.map(({ extensions }) => extensions.code);
    assert.ok(!codes.some((code) => /^GRAPHQL_/.test(code)), `${query}: ${JSON.stringify(errors)}`);
    if (codes.includes('STORAGE_FULL')) blocked.add(field.name);
  }
  return blocked;
}
