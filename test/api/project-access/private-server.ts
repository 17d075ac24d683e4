import assert from 'node:assert/strict';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { ask, call, type UserClient } from '../access/author-server.ts';
import { type Client, openSignedInServer, type SignedInServer } from '../access/signed-in-server.ts';

/** A text in all rows of the private project. */
export const MARKER = 'Zebra7Marker';
export const PRIVATE = `private-${MARKER}`;
export const OPEN = 'open-project';

/** IDs of one project and of the rows in it, as callers write them. */
export interface Ids {
  readonly projectName: string;
  readonly project: string;
  readonly span: string;
  readonly spanOtel: string;
  readonly trace: string;
  readonly traceOtel: string;
  readonly session: string;
  readonly sessionText: string;
  readonly spanAnnotation: string;
  readonly traceAnnotation: string;
  readonly sessionAnnotation: string;
  readonly documentAnnotation: string;
  readonly view: string;
  readonly source: string;
  readonly dashboard: string;
  readonly onlineEvaluator: string;
  readonly recomputation: string;
}

export interface PrivateServer extends SignedInServer {
  /** Created the private project. */
  readonly owner: UserClient;
  /** No member of it. */
  readonly stranger: UserClient;
  readonly private: Ids;
  /** IDs of the same forms that nothing has. */
  readonly unknown: Ids;
  readonly open: Ids;
  /** Global IDs of objects that belong to no project. */
  readonly shared: {
    readonly dataset: string;
    readonly example: string;
    readonly experiment: string;
    /** Of the same dataset, with the same run. */
    readonly otherExperiment: string;
    readonly run: string;
    readonly config: string;
    readonly evaluator: string;
  };
  newClient(username: string, role: 'ADMIN' | 'MEMBER' | 'VIEWER'): Promise<UserClient>;
}

/** A server with a private and an open project, both with spans, sessions, costs, annotations, notes and a view. */
export async function openPrivateServer(t: { after(work: () => Promise<void>): void }): Promise<PrivateServer> {
  const server = await openSignedInServer(t, { settings: { DISABLE_RATE_LIMIT: 'true' } });
  const newClient = async (username: string, role: 'ADMIN' | 'MEMBER' | 'VIEWER') => {
    const { access, id } = await server.newUser(username, role);
    return { ...server.as({ bearer: access }), id };
  };
  const [owner, stranger] = [await newClient('owner', 'MEMBER'), await newClient('stranger', 'MEMBER')];
  await call(owner, 'POST', '/v1/projects', { name: PRIVATE, description: MARKER, is_private: true });
  const filled = {
    private: await fill(server, owner, PRIVATE, MARKER, 'a'),
    open: await fill(server, owner, OPEN, 'visible', 'b'),
  };
  return {
    ...server,
    owner,
    stranger,
    ...filled,
    unknown: unknownIds(),
    shared: await share(server, owner, filled.private),
    newClient,
  };
}

async function fill(
  server: SignedInServer,
  owner: Client,
  project: string,
  marker: string,
  digit: string,
): Promise<Ids> {
  const traceOtel = digit.repeat(32);
  const spanOtel = digit.repeat(16);
  const sessionText = `session-${marker}`;
  const attributes = {
    'openinference.span.kind': 'LLM',
    'session.id': sessionText,
    'user.id': `user-${marker}`,
    'input.value': `in ${marker}`,
    'output.value': `out ${marker}`,
    'llm.model_name': 'gpt-4o',
    'llm.provider': 'openai',
    'llm.token_count.prompt': 7_777,
    'llm.token_count.completion': 3_333,
    metadata: { [`key-${marker}`]: marker },
    [`attribute.${marker}`]: marker,
    'retrieval.documents': [{ 'document.content': marker }],
  };
  const span = {
    name: `span-${marker}`,
    context: { trace_id: traceOtel, span_id: spanOtel },
    span_kind: 'LLM',
    start_time: '2026-01-01T00:00:00Z',
    end_time: '2026-01-01T00:00:05Z',
    status_code: 'ERROR',
    status_message: marker,
    attributes,
    events: [
      { name: 'exception', timestamp: '2026-01-01T00:00:01Z', attributes: { 'exception.type': `Error${marker}` } },
    ],
  };
  const created = await owner.call('POST', `/v1/projects/${project}/spans`, { data: [span] });
  assert.equal(created.status, 202, created.text);
  await server.settled();
  const result = { label: `label-${marker}`, score: 1, explanation: marker };
  const common = { name: `quality-${marker}`, annotator_kind: 'HUMAN', result };
  const annotate = async (path: string, target: object) => {
    const [{ id }] = await call(owner, 'POST', `/v1/${path}?sync=true`, { data: [{ ...common, ...target }] });
    return id as string;
  };
  const annotations = {
    spanAnnotation: await annotate('span_annotations', { span_id: spanOtel }),
    traceAnnotation: await annotate('trace_annotations', { trace_id: traceOtel }),
    sessionAnnotation: await annotate('session_annotations', { session_id: sessionText }),
    documentAnnotation: await annotate('document_annotations', { span_id: spanOtel, document_position: 0 }),
  };
  for (const [path, target] of [
    ['span_notes', { span_id: spanOtel }],
    ['trace_notes', { trace_id: traceOtel }],
    ['session_notes', { session_id: sessionText }],
  ] as const) {
    await call(owner, 'POST', `/v1/${path}`, { data: { note: `note ${marker}`, ...target } });
  }
  const found = await ask(
    owner,
    `{project: getProjectByName(name: "${project}") {id spans(first: 1) {edges {node {id trace {id session {id}}}}}}}`,
  );
  const [{ node }] = found.project.spans.edges;
  const { saveView } = await ask(owner, 'mutation ($input: SaveViewInput!) {saveView(input: $input) {id}}', {
    input: { projectId: found.project.id, tab: 'spans', name: `view-${marker}`, search: marker, layout: '{}' },
  });
  const { createDataset } = await ask(
    owner,
    'mutation ($input: CreateDatasetInput!) {createDataset(input: $input) {dataset {id}}}',
    { input: { name: `cases-${digit}` } },
  );
  const { saveDatasetSource } = await ask(
    owner,
    'mutation ($input: SaveDatasetSourceInput!) {saveDatasetSource(input: $input) {id}}',
    {
      input: {
        projectId: found.project.id,
        datasetId: createDataset.dataset.id,
        name: `source-${marker}`,
        filter: '',
        mapping: {},
      },
    },
  );
  await ask(owner, 'mutation ($input: RememberSpanMappingInput!) {rememberSpanMapping(input: $input) {__typename}}', {
    input: { projectId: found.project.id, mapping: { input: [{ name: marker, path: 'span.name' }] } },
  });
  const { createDashboard } = await ask(
    owner,
    'mutation ($input: CreateDashboardInput!) {createDashboard(input: $input) {id}}',
    {
      input: { projectId: found.project.id, name: `dashboard-${marker}`, panels: [] },
    },
  );
  const { builtInEvaluators } = await ask(owner, '{builtInEvaluators {id}}');
  const { createOnlineEvaluator } = await ask(
    owner,
    'mutation ($input: CreateOnlineEvaluatorInput!) {createOnlineEvaluator(input: $input) {id}}',
    {
      input: {
        projectId: found.project.id,
        evaluatorId: builtInEvaluators[0].id,
        name: 'online',
        description: marker,
        isEnabled: false,
      },
    },
  );
  const recomputation = await call(server.admin, 'POST', '/v1/cost_recomputations', { project_identifier: project });
  return {
    projectName: project,
    project: found.project.id,
    span: node.id,
    spanOtel,
    trace: node.trace.id,
    traceOtel,
    session: node.trace.session.id,
    sessionText,
    ...annotations,
    view: saveView.id,
    source: saveDatasetSource.id,
    dashboard: createDashboard.id,
    onlineEvaluator: createOnlineEvaluator.id,
    recomputation: String(recomputation.id),
  };
}

const unknownIds = (): Ids => ({
  projectName: 'unknown-project',
  project: toGlobalId('Project', 999_999),
  span: toGlobalId('Span', 999_999),
  spanOtel: '9'.repeat(16),
  trace: toGlobalId('Trace', 999_999),
  traceOtel: '9'.repeat(32),
  session: toGlobalId('ProjectSession', 999_999),
  sessionText: 'session-unknown',
  spanAnnotation: toGlobalId('SpanAnnotation', 999_999),
  traceAnnotation: toGlobalId('TraceAnnotation', 999_999),
  sessionAnnotation: toGlobalId('ProjectSessionAnnotation', 999_999),
  documentAnnotation: toGlobalId('DocumentAnnotation', 999_999),
  view: toGlobalId('SavedView', 999_999),
  source: toGlobalId('DatasetSource', 999_999),
  dashboard: toGlobalId('Dashboard', 999_999),
  onlineEvaluator: toGlobalId('OnlineEvaluator', 999_999),
  recomputation: '999999',
});

/** A dataset whose example comes from a span of the private project, and an experiment whose run has a trace there. */
async function share(server: SignedInServer, owner: Client, ids: Ids): Promise<PrivateServer['shared']> {
  // A copy of the span's annotations would be in the open dataset, as its members want it; the link to the span is not.
  const uploaded = await call(owner, 'POST', '/v1/datasets/upload?sync=true', {
    ...{ action: 'create', name: 'shared', inputs: [{ a: 1 }], outputs: [{}], metadata: [{}] },
    span_ids: [ids.spanOtel],
  });
  const dataset = uploaded.dataset_id as string;
  const { node } = await ask(owner, `{node(id: "${dataset}") {... on Dataset {examples {edges {node {id}}}}}}`);
  const example = node.examples.edges[0].node.id as string;
  const experiment = await call(owner, 'POST', `/v1/datasets/${dataset}/experiments`, { name: 'shared' });
  const other = await call(owner, 'POST', `/v1/datasets/${dataset}/experiments`, { name: 'other' });
  const fields = {
    dataset_example_id: example,
    output: 'out',
    repetition_number: 1,
    start_time: '2026-01-01T00:00:00Z',
    end_time: '2026-01-01T00:00:01Z',
    trace_id: ids.traceOtel,
  };
  const run = await call(owner, 'POST', `/v1/experiments/${experiment.id}/runs`, fields);
  await call(owner, 'POST', `/v1/experiments/${other.id}/runs`, fields);
  const config = await call(owner, 'POST', '/v1/annotation_configs', { name: 'config', type: 'FREEFORM' });
  await call(owner, 'PUT', `/v1/projects/${ids.projectName}/annotation_configs/${config.id}`);
  const { builtInEvaluators } = await ask(owner, '{builtInEvaluators {id}}');
  await server.settled();
  return {
    ...{ dataset, example, experiment: experiment.id, otherExperiment: other.id, run: run.id, config: config.id },
    evaluator: builtInEvaluators[0].id,
  };
}

/** Texts of a response in which the IDs of the request are replaced, so that those of two requests can be compared. */
export function withoutIds(text: string, ids: Ids): string {
  let replaced = text;
  // Longer ones first: one may contain another.
  const entries = Object.entries(ids).sort(([, a], [, b]) => b.length - a.length);
  for (const [name, id] of entries) {
    // A small number may be anything.
    replaced =
      name === 'recomputation' ? replaced.replaceAll(`with id ${id}`, '') : replaced.replaceAll(id, `<${name}>`);
  }
  return replaced;
}

/** Fails when a text has the marker, or an ID of the private project that the request did not contain. */
export function assertNoLeak(text: string, { private: ids }: Pick<PrivateServer, 'private'>, request: string): void {
  // Echoes of the request are no leak.
  const foreign = withoutIds(text, pickSent(ids, request));
  for (const [name, id] of [...Object.entries(ids), ['marker', MARKER] as const]) {
    if (name === 'recomputation') continue;
    assert.ok(!foreign.includes(id), `${request} shows the ${name}: ${text.slice(0, 2_000)}`);
  }
}

const pickSent = (ids: Ids, request: string): Ids =>
  Object.fromEntries(
    Object.entries(ids).map(([name, id]) => [name, request.includes(id) ? id : '\0never']),
  ) as unknown as Ids;
