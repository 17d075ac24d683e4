import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  isUnionType,
} from 'graphql';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { createSchema } from '../../../src/api/graphql/schema.ts';
import { ask } from '../access/author-server.ts';
import { sampleValue } from '../graphql-samples.ts';
import {
  assertNoLeak,
  type Ids,
  MARKER,
  OPEN,
  openPrivateServer,
  PRIVATE,
  type PrivateServer,
  withoutIds,
} from './private-server.ts';

/** Arguments as GraphQL text, with IDs of a project. */
type Arguments = (ids: Ids, server: PrivateServer) => readonly string[];

/** Types of nodes in a project, and their ID. All of their fields are asked for. */
const NODES: Readonly<Record<string, keyof Ids>> = {
  Project: 'project',
  Trace: 'trace',
  Span: 'span',
  ProjectSession: 'session',
  SpanAnnotation: 'spanAnnotation',
  TraceAnnotation: 'traceAnnotation',
  ProjectSessionAnnotation: 'sessionAnnotation',
  DocumentAnnotation: 'documentAnnotation',
};

/** Types of nodes that are in no project. */
const OTHER_NODES =
  /^(Dataset|DatasetVersion|DatasetExample|DatasetSplit|DatasetLabel|DatasetEvaluator|Calibration|Experiment|ExperimentRun|ExperimentTag|ExperimentJob|ExperimentLog|ExperimentComparison|ExperimentRunAnnotation|PromptTaskConfig|ExperimentRepeatedRunGroup|Prompt|PromptVersion|PromptVersionTag|PromptLabel|LLMEvaluator|CodeEvaluator|CodeEvaluatorVersion|SandboxConfig|SandboxProvider|BuiltInEvaluator|GenerativeModel|GenerativeModelCustomProvider|User|UserRole|OAuth2Grant|UserApiKey|SystemApiKey|Secret|ProjectTraceRetentionPolicy|\w*AnnotationConfig)$/;

/** Queries with required arguments. All others are asked as they are. */
const QUERIES: Readonly<Record<string, Arguments>> = {
  node: ({ project }) => [`id: "${project}"`],
  nodes: (ids) => [`ids: ${JSON.stringify(Object.values(NODES).map((name) => ids[name]))}`],
  validateRegularExpression: () => [],
  getDatasetExampleByExternalId: () => [],
  compareExperiments: (_ids, { shared }) => [`baseExperimentId: "${shared.experiment}", compareExperimentIds: []`],
  experimentRunMetricComparisons: (_ids, { shared }) => [
    `baseExperimentId: "${shared.experiment}", compareExperimentIds: ["${shared.experiment}"]`,
  ],
  experimentComparison: (_ids, { shared }) => [
    `input: {experimentIds: ["${shared.experiment}", "${shared.otherExperiment}"]}`,
  ],
  experimentComparisonRows: (_ids, { shared }) => [
    `input: {experimentIds: ["${shared.experiment}", "${shared.otherExperiment}"]}`,
  ],
  validateExperimentRunFilterCondition: () => [],
  evaluatorInputPreview: (_ids, { shared }) => [
    `exampleId: "${shared.example}", inputMapping: {pathMapping: {text: "input"}, literalMapping: {}}`,
  ],
  codeEvaluatorInputs: () => [],
  calibrationLabels: ({ project }) => [`source: {project: {projectId: "${project}"}}, annotationName: "quality"`],
  // test/api/project-access/calibrations.test.ts
  compareCalibrations: () => [],
  getProjectByName: ({ projectName }) => [`name: "${projectName}"`],
  applyChatTemplate: () => [],
  comparePromptVersions: () => [],
  estimateRun: () => [],
  onlineEvaluator: ({ onlineEvaluator }) => [`id: "${onlineEvaluator}"`],
  onlineBackfillEstimate: ({ onlineEvaluator }) => [`input: {id: "${onlineEvaluator}"}`],
  searchResources: () => [`query: "${MARKER}", limitPerType: 10`, 'query: "p", limitPerType: 10'],
  previewSpanExamples: ({ span }, { shared }) => [
    `input: {spanIds: ["${span}"], mapping: {}, datasetId: "${shared.dataset}"}`,
  ],
  getSpanByOtelId: ({ spanOtel }) => [`spanId: "${spanOtel}"`],
  storageOfProjects: () => ['first: 10, days: 5000'],
  getProjectSessionById: ({ sessionText }) => [`sessionId: "${sessionText}"`],
  getTraceByOtelId: ({ traceOtel }) => [`traceId: "${traceOtel}"`],
};

const annotationInput = 'name: "n", annotatorKind: HUMAN, score: 1, metadata: {}, source: APP';

/** Mutations that take an ID in a project. */
const MUTATIONS: Readonly<Record<string, Arguments>> = {
  addAnnotationConfigToProject: ({ project }, { shared }) => [
    `input: [{projectId: "${project}", annotationConfigId: "${shared.config}"}]`,
  ],
  removeAnnotationConfigFromProject: ({ project }, { shared }) => [
    `input: [{projectId: "${project}", annotationConfigId: "${shared.config}"}]`,
  ],
  createSpanAnnotations: ({ span }) => [`input: [{spanId: "${span}", ${annotationInput}}]`],
  patchSpanAnnotations: ({ spanAnnotation }) => [`input: [{annotationId: "${spanAnnotation}", label: "x"}]`],
  deleteSpanAnnotations: ({ spanAnnotation }) => [`input: {annotationIds: ["${spanAnnotation}"]}`],
  createSpanNote: ({ span }) => [`annotationInput: {spanId: "${span}", note: "n"}`],
  createTraceNote: ({ trace }) => [`annotationInput: {traceId: "${trace}", note: "n"}`],
  createProjectSessionNote: ({ session }) => [`annotationInput: {projectSessionId: "${session}", note: "n"}`],
  createTraceAnnotations: ({ trace }) => [`input: [{traceId: "${trace}", ${annotationInput}}]`],
  patchTraceAnnotations: ({ traceAnnotation }) => [`input: [{annotationId: "${traceAnnotation}", label: "x"}]`],
  deleteTraceAnnotations: ({ traceAnnotation }) => [`input: {annotationIds: ["${traceAnnotation}"]}`],
  createDocumentAnnotations: ({ span }) => [`input: [{spanId: "${span}", documentPosition: 0, ${annotationInput}}]`],
  patchDocumentAnnotations: ({ documentAnnotation }) => [
    `input: [{annotationId: "${documentAnnotation}", label: "x"}]`,
  ],
  deleteDocumentAnnotations: ({ documentAnnotation }) => [`input: {annotationIds: ["${documentAnnotation}"]}`],
  createProjectSessionAnnotations: ({ session }) => [`input: {projectSessionId: "${session}", ${annotationInput}}`],
  updateProjectSessionAnnotations: ({ sessionAnnotation }) => [
    `input: {id: "${sessionAnnotation}", ${annotationInput}}`,
  ],
  deleteProjectSessionAnnotation: ({ sessionAnnotation }) => [`id: "${sessionAnnotation}"`],
  deleteProjectSpanAnnotations: ({ project }) => [`input: {projectId: "${project}", annotationName: "n"}`],
  deleteProjectTraceAnnotations: ({ project }) => [`input: {projectId: "${project}", annotationName: "n"}`],
  deleteProjectSessionAnnotations: ({ project }) => [`input: {projectId: "${project}", annotationName: "n"}`],
  addSpansToDataset: ({ span }, { shared }) => [`input: {datasetId: "${shared.dataset}", spanIds: ["${span}"]}`],
  addExamplesToDataset: ({ span }, { shared }) => [
    `input: {datasetId: "${shared.dataset}", examples: [{input: {}, output: {}, metadata: {}, spanId: "${span}"}]}`,
  ],
  setProjectPrivacy: ({ project }) => [`input: {projectId: "${project}", isPrivate: false}`],
  setProjectMember: ({ project }) => [`input: {projectId: "${project}", email: "stranger@example.com", level: OWNER}`],
  removeProjectMember: ({ project }) => [`input: {projectId: "${project}", group: "g"}`],
  patchProject: ({ project }) => [`input: {id: "${project}", description: "x"}`],
  deleteProject: ({ project }) => [`id: "${project}"`],
  clearProject: ({ project }) => [`input: {id: "${project}"}`],
  saveView: ({ project }) => [`input: {projectId: "${project}", tab: spans, name: "n", search: "", layout: "{}"}`],
  addSpanExample: ({ span }, { shared }) => [
    `input: {datasetId: "${shared.dataset}", spanId: "${span}", input: {}, output: {}, metadata: {}}`,
  ],
  rememberSpanMapping: ({ project }) => [`input: {projectId: "${project}", mapping: {}}`],
  saveDatasetSource: ({ project }, { shared }) => [
    `input: {projectId: "${project}", datasetId: "${shared.dataset}", name: "n", filter: "", mapping: {}}`,
  ],
  deleteDatasetSource: ({ source }) => [`id: "${source}"`],
  deleteSavedView: ({ view }) => [`id: "${view}"`],
  createOnlineEvaluator: ({ project }, { shared }) => [
    `input: {projectId: "${project}", evaluatorId: "${shared.evaluator}", name: "n"}`,
  ],
  patchOnlineEvaluator: ({ onlineEvaluator }) => [`input: {id: "${onlineEvaluator}", description: "x"}`],
  deleteOnlineEvaluator: ({ onlineEvaluator }) => [`id: "${onlineEvaluator}"`],
  startOnlineBackfill: ({ onlineEvaluator }) => [`input: {id: "${onlineEvaluator}"}`],
  stopOnlineBackfill: ({ onlineEvaluator }) => [`id: "${onlineEvaluator}"`],
  retryOnlineItems: ({ onlineEvaluator }) => [`id: "${onlineEvaluator}"`],
  createDashboard: ({ project }) => [`input: {projectId: "${project}", name: "n", panels: []}`],
  patchDashboard: ({ dashboard }) => [`input: {id: "${dashboard}", revision: 1, name: "m"}`],
  deleteDashboard: ({ dashboard }) => [`id: "${dashboard}"`],
  deleteTraces: ({ trace }) => [`traceIds: ["${trace}"]`],
  transferTracesToProject: ({ trace, project }, { open }) => [
    `traceIds: ["${trace}"], projectId: "${open.project}"`,
    `traceIds: ["${open.trace}"], projectId: "${project}"`,
  ],
};

/**
 * Mutations of users, keys, datasets, experiments, evaluators, prompts, models and secrets, and those that an administrator
 * alone may use. `createProject` answers that a name is taken, whoever may read the project.
 */
const OTHER_MUTATIONS: ReadonlySet<string> = new Set(
  `unlinkIdentity revokeOAuth2Grant createUserApiKey createSystemApiKey deleteUserApiKey deleteSystemApiKey
  createUser patchUser patchViewer deleteUsers
  endUserSession createAnnotationConfig updateAnnotationConfig deleteAnnotationConfigs
  createDataset patchDataset deleteDataset patchDatasetExamples
  deleteDatasetExamples saveDatasetExamples restoreDatasetVersion changeDatasetExampleSplits createDatasetLabel patchDatasetLabel deleteDatasetLabels setDatasetLabels
  createDatasetSplit createDatasetSplitWithExamples patchDatasetSplit deleteDatasetSplits
  setDatasetExampleSplits setDatasetExamplesSplits evaluatorPreviews
  startCalibration resumeCalibration stopCalibration deleteCalibration createDatasetLlmEvaluator updateDatasetLlmEvaluator
  createCodeEvaluator patchCodeEvaluator createCodeEvaluatorVersion createDatasetCodeEvaluator
  updateDatasetCodeEvaluator createSandboxConfig updateSandboxConfig deleteSandboxConfig updateSandboxProvider
  createDatasetBuiltinEvaluator updateDatasetBuiltinEvaluator deleteDatasetEvaluators deleteEvaluators
  addExperimentNote patchExperimentNote deleteExperimentNote tagExperiment untagExperiment
  annotateExperimentRun deleteExperimentRunAnnotation preferExperimentRun deleteExperimentRunPreference stopExperiment resumeExperiment startExperimentEvaluations patchExperiment setExperimentBaseline
  dismissExperiment reinstateExperiment deleteExperiments createGenerativeModelCustomProvider
  patchGenerativeModelCustomProvider deleteGenerativeModelCustomProvider createModel updateModel
  testGenerativeModelCustomProviderCredentials testGenerativeProvider
  deleteModel createProject createProjectTraceRetentionPolicy patchProjectTraceRetentionPolicy
  deleteProjectTraceRetentionPolicy createChatPrompt createChatPromptVersion deletePrompt
  clonePrompt patchPrompt setPromptVersionTag deletePromptVersionTag
  createPromptLabel patchPromptLabel deletePromptLabels setPromptLabels
  unsetPromptLabels upsertOrDeleteSecrets createSample deleteSample`.split(/\s+/),
);

let server: PrivateServer;
const cleanUp = cleanUpAfter(after);
before(async () => {
  server = await openPrivateServer({ after: cleanUp });
});
const schema = createSchema();
const typeOf = (name: string) => schema.getType(name) as GraphQLObjectType;

/** Leaves of a type and, to a depth, of its parts. */
function selectionOf(type: GraphQLNamedType, depth: number): string {
  if (isLeafType(type)) return '';
  if (isUnionType(type) || isInterfaceType(type)) {
    const parts = schema.getPossibleTypes(type).map((one) => `... on ${one.name} {__typename}`);
    return `{__typename ${depth > 0 ? parts.join(' ') : ''}}`;
  }
  if (!isObjectType(type)) return '';
  const fields = Object.values(type.getFields())
    .filter((field) => !field.args.some(isRequiredArgument) && !isNotSelected(type, field))
    .flatMap((field) => {
      const named = getNamedType(field.type);
      if (isLeafType(named)) return field.name;
      return depth > 0 ? `${field.name} ${selectionOf(named, depth - 1)}` : [];
    });
  return `{__typename ${fields.join(' ')}}`;
}

/** A payload has the whole query type, and a run shows the trace ID that its client has sent with it, stored or not. */
const isNotSelected = (type: GraphQLObjectType, { name }: GraphQLField<unknown, unknown>): boolean =>
  name === 'query' || (/^(Experiment|Comparison)Run$/.test(type.name) && name === 'traceId');

async function asStranger(document: string): Promise<string> {
  const { data, errors } = await server.stranger.graphql(document);
  return JSON.stringify({ data, errors });
}

/** The answers to a document with IDs of the private project, and with IDs that nothing has, must be equal. */
async function compare(toDocument: (ids: Ids) => string): Promise<void> {
  const [document, other] = [toDocument(server.private), toDocument(server.unknown)];
  const [text, expected] = [await asStranger(document), await asStranger(other)];
  // Errors name the row ids of what they have not found.
  const normal = (answer: string, ids: Ids) =>
    withoutIds(answer, ids).replaceAll(/IDs?:? \[?[\d, ]+\]?|\[\d+(, \d+)*\]/g, '#');
  assert.equal(normal(text, server.private), normal(expected, server.unknown), document);
  assertNoLeak(text, server, document);
  assert.ok(!text.includes('an unexpected error'), `${document}: ${text}`);
}

describe('a stranger to a private project', () => {
  test('reads no field of a node in it', async () => {
    for (const type of schema.getPossibleTypes(schema.getType('Node') as never)) {
      assert.ok(Object.hasOwn(NODES, type.name) || OTHER_NODES.test(type.name), `${type.name} is not in the table`);
    }
    for (const [name, id] of Object.entries(NODES)) {
      for (const field of Object.values(typeOf(name).getFields())) {
        const required = field.args.filter(isRequiredArgument).map((one) => `${one.name}: ${sampleValue(one.type)}`);
        const args = required.length > 0 ? `(${required.join(', ')})` : '';
        const selection = `${field.name}${args} ${selectionOf(getNamedType(field.type), 1)}`;
        await compare((ids) => `{node(id: "${ids[id]}") {... on ${name} {${selection}}}}`);
      }
    }
  });

  test('finds nothing of it by any query', async () => {
    for (const field of Object.values(schema.getQueryType()!.getFields())) {
      const isListed = Object.hasOwn(QUERIES, field.name);
      assert.ok(isListed || !field.args.some(isRequiredArgument), `${field.name} is not in the table`);
      const selection = selectionOf(getNamedType(field.type), 3);
      if (!isListed) await compare(() => `{${field.name} ${selection}}`);
      const count = (QUERIES[field.name]?.(server.private, server) ?? []).length;
      for (let index = 0; index < count; index++) {
        await compare((ids) => `{${field.name}(${(QUERIES[field.name]?.(ids, server) ?? [])[index]}) ${selection}}`);
      }
    }
    const { projects, projectCount } = await ask(server.stranger, '{projectCount projects {edges {node {name}}}}');
    assert.ok(projects.edges.some(({ node }: { node: { name: string } }) => node.name === OPEN));
    assert.equal(projectCount, projects.edges.length);
  });

  test('finds nothing of it through objects that are linked with it', async () => {
    const { dataset, example, experiment, run } = server.shared;
    for (const [type, id] of [
      ['Dataset', dataset],
      ['DatasetExample', example],
      ['Experiment', experiment],
      ['ExperimentRun', run],
    ] as const) {
      for (const field of Object.values(typeOf(type).getFields())) {
        if (field.args.some(isRequiredArgument) || isNotSelected(typeOf(type), field)) continue;
        const document = `{node(id: "${id}") {... on ${type} {${field.name} ${selectionOf(getNamedType(field.type), 2)}}}}`;
        assertNoLeak(await asStranger(document), server, document);
      }
    }
    const { node } = await ask(server.stranger, `{node(id: "${run}") {... on ExperimentRun {trace {id}}}}`);
    assert.equal(node.trace, null);
    const owned = await ask(server.owner, `{node(id: "${run}") {... on ExperimentRun {trace {id}}}}`);
    assert.equal(owned.node.trace.id, server.private.trace);
  });

  test('sees no costs and no time of it', async () => {
    const text = `{generativeModels(first: 1000) {edges {node {name costSummary {total {tokens}} lastUsedAt}}}}`;
    const tokensOf = async (by: PrivateServer['owner']): Promise<number> =>
      (await ask(by, text)).generativeModels.edges.reduce(
        (sum: number, { node }: { node: { costSummary: { total: { tokens: number | null } } } }) =>
          sum + (node.costSummary.total.tokens ?? 0),
        0,
      );
    // Each project has a span with these tokens.
    assert.equal(await tokensOf(server.stranger), 11_110);
    assert.equal(await tokensOf(server.owner), 22_220);
  });

  test('changes nothing by any mutation', async () => {
    for (const field of Object.values(schema.getMutationType()!.getFields())) {
      const args = Object.hasOwn(MUTATIONS, field.name) ? MUTATIONS[field.name] : undefined;
      assert.ok(args || OTHER_MUTATIONS.has(field.name), `${field.name} is not in the table`);
      const count = (args?.(server.private, server) ?? []).length;
      for (let index = 0; index < count; index++) {
        const selection = selectionOf(getNamedType(field.type), 1);
        await compare((ids) => `mutation {${field.name}(${(args?.(ids, server) ?? [])[index]}) ${selection}}`);
      }
    }
    await server.settled();
    const { project } = await ask(
      server.owner,
      `{project: getProjectByName(name: "${PRIVATE}") {
        isPrivate description traceCount savedViews {name} dashboards {name isBuiltIn} onlineEvaluators {id} spanMetric(metric: spans, aggregates: [count], timeRange: {}) {total {values}} annotationConfigs {edges {node {__typename}}}
        spans(first: 5) {edges {node {spanAnnotations {name label} trace {traceAnnotations {name}}}}}}}`,
    );
    assert.deepEqual(
      [
        project.isPrivate,
        project.description,
        project.traceCount,
        project.savedViews.length,
        project.dashboards.filter((each: { readonly isBuiltIn: boolean }) => !each.isBuiltIn).length,
        project.onlineEvaluators.length,
        project.spanMetric.total.values[0],
      ],
      [true, MARKER, 1, 1, 1, 1, 1],
    );
    const [{ node }] = project.spans.edges;
    assert.deepEqual(
      node.spanAnnotations.map(({ name }: { name: string }) => name),
      ['note', `quality-${MARKER}`],
    );
    assert.equal(node.trace.traceAnnotations.length, 2);
  });
});
