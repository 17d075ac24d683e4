import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  buildASTSchema,
  type DocumentNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isUnionType,
  Kind,
  parse,
} from 'graphql';
import { expectPresent } from '../../base/expect-present.ts';
import { apiKeyMutations, apiKeyQueries, systemApiKeyResolvers, userApiKeyResolvers } from './access/api-key.ts';
import { auditLogQueries } from './access/audit-log.ts';
import { grantMutations, grantQueries, grantResolvers, grantsOfUser } from './access/oauth2-grant.ts';
import { userResolvers } from './access/user.ts';
import { userMutations } from './access/user-mutations.ts';
import { userQueries } from './access/user-queries.ts';
import {
  documentAnnotationResolvers,
  sessionAnnotationResolvers,
  spanAnnotationResolvers,
  traceAnnotationResolvers,
} from './annotations/annotation.ts';
import { annotationConfigMutations, annotationConfigQueries } from './annotations/annotation-config-mutations.ts';
import { annotationMutations } from './annotations/annotation-mutations.ts';
import { documentEvaluationSummaryResolvers } from './annotations/document-evaluation-summary.ts';
import { documentRetrievalResolvers } from './annotations/document-retrieval.ts';
import { projectAnnotationMutations } from './annotations/project-annotation-mutations.ts';
import { dashboardMutations, dashboardResolvers, dashboardsOfProject } from './dashboards/dashboard.ts';
import { metricGroupResolvers, metricOfProject } from './dashboards/span-metric.ts';
import {
  datasetSourceMutations,
  datasetSourceQueries,
  datasetSourceResolvers,
  sourcesOfDataset,
  sourcesOfProject,
} from './dataset-sources/dataset-source.ts';
import { datasetResolvers, datasetVersionResolvers } from './datasets/dataset.ts';
import { exampleResolvers, spanExampleResolvers } from './datasets/dataset-example.ts';
import { exampleMutations } from './datasets/dataset-example-mutations.ts';
import { datasetLabelResolvers, datasetSplitResolvers } from './datasets/dataset-group.ts';
import { labelMutations, splitMutations } from './datasets/dataset-group-mutations.ts';
import { datasetMutations } from './datasets/dataset-mutations.ts';
import { datasetQueries } from './datasets/dataset-queries.ts';
import { exampleRowsOfDataset } from './datasets/example-rows.ts';
import { saveExamplesMutations } from './datasets/save-examples.ts';
import { versionDiffResolvers, versionMutations, versionsOfDataset } from './datasets/version-changes.ts';
import { calibrationItemResolvers, calibrationResolvers, calibrationsOfEvaluator } from './evaluators/calibration.ts';
import { calibrationMutations, calibrationQueries } from './evaluators/calibration-mutations.ts';
import { codeEvaluatorResolvers, codeVersionResolvers } from './evaluators/code-evaluator.ts';
import { codeEvaluatorMutations } from './evaluators/code-evaluator-mutations.ts';
import { datasetEvaluatorResolvers, evaluatorsOfDataset } from './evaluators/dataset-evaluator.ts';
import { builtInEvaluatorResolvers, llmEvaluatorResolvers } from './evaluators/evaluator.ts';
import { evaluatorMutations } from './evaluators/evaluator-mutations.ts';
import { evaluatorPreviewMutations } from './evaluators/evaluator-previews.ts';
import { evaluatorQueries } from './evaluators/evaluator-queries.ts';
import { boundedResolver } from './execution/bounded-resolver.ts';
import type { Subscriber } from './execution/compiled-subscription.ts';
import { guardedResolver, guardedSubscriber } from './execution/guarded-resolver.ts';
import { setConversion } from './execution/input-defaults.ts';
import { comparisonQueries } from './experiments/comparison.ts';
import { experimentResolvers, experimentsOfDataset, experimentTagResolvers } from './experiments/experiment.ts';
import { experimentJobResolvers, jobOfExperiment, jobsOfDataset } from './experiments/experiment-job.ts';
import { experimentLogResolvers } from './experiments/experiment-job-log.ts';
import { experimentJobMutations } from './experiments/experiment-job-mutations.ts';
import { experimentMutations } from './experiments/experiment-mutations.ts';
import { experimentQueries } from './experiments/experiment-queries.ts';
import { groupResolvers, runAnnotationResolvers, runResolvers, runsOfExample } from './experiments/experiment-run.ts';
import {
  experimentErrorResolvers,
  experimentNoteMutations,
  experimentNoteResolvers,
  experimentTableOfDataset,
  tableOfExperiment,
} from './experiments/experiment-table.ts';
import { promptConfigResolvers, promptTaskConfigResolvers } from './experiments/prompt-task-config.ts';
import { runAnnotationMutations } from './experiments/run-annotation-mutations.ts';
import { customProviderResolvers } from './models/custom-provider.ts';
import { customProviderMutations } from './models/custom-provider-mutations.ts';
import { customProviderQueries } from './models/custom-provider-queries.ts';
import { invocationParameterResolvers } from './models/invocation-parameter.ts';
import { modelResolvers } from './models/model.ts';
import { modelMutations } from './models/model-mutations.ts';
import { modelProviderMutations, modelProviderQueries } from './models/model-provider.ts';
import { modelQueries } from './models/model-queries.ts';
import { nodeQueries } from './node.ts';
import {
  onlineEvaluatorMutations,
  onlineEvaluatorQueries,
  onlineEvaluatorResolvers,
  onlineEvaluatorsOfProject,
} from './online-evaluators/online-evaluator.ts';
import { cellSubscribers } from './playground/chat-cells.ts';
import { evaluationChunkResolvers } from './playground/chat-events.ts';
import { chatSubscribers } from './playground/chat-subscriptions.ts';
import { runEstimateQueries } from './playground/run-estimate.ts';
import { spanReplayResolvers } from './playground/span-replay.ts';
import { projectResolvers } from './projects/project.ts';
import { accessOfProject, projectAccessMutations } from './projects/project-access.ts';
import { projectMutations } from './projects/project-mutations.ts';
import { projectQueries } from './projects/project-queries.ts';
import { retentionPolicyResolvers, retentionQueries } from './projects/retention.ts';
import { retentionMutations } from './projects/retention-mutations.ts';
import { savedViewMutations, viewsOfProject } from './projects/saved-view.ts';
import { withCurrentParameters } from './prompts/plain-parameters.ts';
import {
  promptLabelResolvers,
  promptResolvers,
  promptTagMoveResolvers,
  promptVersionResolvers,
  promptVersionTagResolvers,
} from './prompts/prompt.ts';
import { promptLabelMutations } from './prompts/prompt-label-mutations.ts';
import { promptMutations } from './prompts/prompt-mutations.ts';
import { promptQueries } from './prompts/prompt-queries.ts';
import { queryResolvers } from './query.ts';
import type { NodeRef, Resolvers } from './resolvers.ts';
import { sampleMutations, sampleQueries } from './samples/sample.ts';
import { sandboxConfigResolvers, sandboxProviderResolvers, sandboxQueries } from './sandboxes/sandbox.ts';
import { sandboxMutations } from './sandboxes/sandbox-mutations.ts';
import { defineScalars } from './scalars.ts';
import { searchQueries } from './search.ts';
import { secretResolvers } from './secrets/secret.ts';
import { secretMutations } from './secrets/secret-mutations.ts';
import { secretQueries } from './secrets/secret-queries.ts';
import { shapeExampleResolvers } from './spans/shape-examples.ts';
import { ioValueResolvers, spanResolvers } from './spans/span.ts';
import { storageQueries } from './storage-queries.ts';
import { sessionResolvers } from './traces/session.ts';
import { traceResolvers } from './traces/trace.ts';
import { traceMutations } from './traces/trace-mutations.ts';
import { traceSkeletonResolvers } from './traces/trace-skeleton.ts';

/** Types whose fields are computed; the fields of others are properties. */
const RESOLVERS: Readonly<Record<string, Resolvers>> = {
  Query: {
    ...nodeQueries,
    ...queryResolvers,
    ...projectQueries,
    ...promptQueries,
    ...annotationConfigQueries,
    ...modelQueries,
    ...modelProviderQueries,
    ...runEstimateQueries,
    ...customProviderQueries,
    ...datasetQueries,
    ...datasetSourceQueries,
    ...sampleQueries,
    ...evaluatorQueries,
    ...calibrationQueries,
    ...onlineEvaluatorQueries,
    ...experimentQueries,
    ...comparisonQueries,
    ...retentionQueries,
    ...secretQueries,
    ...sandboxQueries,
    ...storageQueries,
    ...searchQueries,
    ...userQueries,
    ...apiKeyQueries,
    ...grantQueries,
    ...auditLogQueries,
  },
  Mutation: {
    ...projectMutations,
    ...projectAccessMutations,
    ...projectAnnotationMutations,
    ...traceMutations,
    ...promptMutations,
    ...promptLabelMutations,
    ...retentionMutations,
    ...savedViewMutations,
    ...datasetSourceMutations,
    ...sampleMutations,
    ...dashboardMutations,
    ...annotationMutations,
    ...annotationConfigMutations,
    ...modelMutations,
    ...modelProviderMutations,
    ...customProviderMutations,
    ...secretMutations,
    ...sandboxMutations,
    ...datasetMutations,
    ...exampleMutations,
    ...saveExamplesMutations,
    ...versionMutations,
    ...splitMutations,
    ...labelMutations,
    ...evaluatorMutations,
    ...codeEvaluatorMutations,
    ...onlineEvaluatorMutations,
    ...evaluatorPreviewMutations,
    ...calibrationMutations,
    ...experimentMutations,
    ...experimentJobMutations,
    ...experimentNoteMutations,
    ...runAnnotationMutations,
    ...userMutations,
    ...apiKeyMutations,
    ...grantMutations,
  },
  User: { ...userResolvers, ...grantsOfUser },
  OAuth2Grant: grantResolvers,
  UserApiKey: userApiKeyResolvers,
  SystemApiKey: systemApiKeyResolvers,
  Project: {
    ...projectResolvers,
    ...viewsOfProject,
    ...accessOfProject,
    ...sourcesOfProject,
    ...dashboardsOfProject,
    ...onlineEvaluatorsOfProject,
    ...metricOfProject,
  },
  Dashboard: dashboardResolvers,
  OnlineEvaluator: onlineEvaluatorResolvers,
  SpanMetricGroup: metricGroupResolvers,
  Trace: traceResolvers,
  TraceSkeleton: traceSkeletonResolvers,
  Span: { ...spanResolvers, ...spanExampleResolvers, ...invocationParameterResolvers, ...spanReplayResolvers },
  SpanIOValue: ioValueResolvers,
  CategoricalAnnotationConfig: shapeExampleResolvers,
  ContinuousAnnotationConfig: shapeExampleResolvers,
  ProjectSession: sessionResolvers,
  ProjectTraceRetentionPolicy: retentionPolicyResolvers,
  SpanAnnotation: spanAnnotationResolvers,
  TraceAnnotation: traceAnnotationResolvers,
  ProjectSessionAnnotation: sessionAnnotationResolvers,
  DocumentAnnotation: documentAnnotationResolvers,
  DocumentRetrievalMetrics: documentRetrievalResolvers,
  DocumentEvaluationSummary: documentEvaluationSummaryResolvers,
  Prompt: promptResolvers,
  PromptVersion: promptVersionResolvers,
  PromptVersionTag: promptVersionTagResolvers,
  PromptTagMove: promptTagMoveResolvers,
  PromptLabel: promptLabelResolvers,
  GenerativeModel: modelResolvers,
  GenerativeModelCustomProvider: customProviderResolvers,
  Secret: secretResolvers,
  DatasetSource: datasetSourceResolvers,
  Dataset: {
    ...datasetResolvers,
    ...exampleRowsOfDataset,
    ...versionsOfDataset,
    ...evaluatorsOfDataset,
    ...experimentsOfDataset,
    ...experimentTableOfDataset,
    ...jobsOfDataset,
    ...sourcesOfDataset,
  },
  DatasetEvaluator: { ...datasetEvaluatorResolvers, ...calibrationsOfEvaluator },
  Calibration: calibrationResolvers,
  CalibrationItem: calibrationItemResolvers,
  LLMEvaluator: llmEvaluatorResolvers,
  BuiltInEvaluator: builtInEvaluatorResolvers,
  CodeEvaluator: codeEvaluatorResolvers,
  CodeEvaluatorVersion: codeVersionResolvers,
  SandboxConfig: sandboxConfigResolvers,
  SandboxProvider: sandboxProviderResolvers,
  DatasetVersion: datasetVersionResolvers,
  VersionDiff: versionDiffResolvers,
  DatasetExample: { ...exampleResolvers, ...runsOfExample },
  DatasetSplit: datasetSplitResolvers,
  DatasetLabel: datasetLabelResolvers,
  Experiment: { ...experimentResolvers, ...tableOfExperiment, ...jobOfExperiment },
  ExperimentJob: experimentJobResolvers,
  ExperimentLog: experimentLogResolvers,
  PromptTaskConfig: promptTaskConfigResolvers,
  PromptConfig: promptConfigResolvers,
  ExperimentRun: runResolvers,
  ExperimentTag: experimentTagResolvers,
  ExperimentNote: experimentNoteResolvers,
  ExperimentErrorGroup: experimentErrorResolvers,
  ExperimentRunAnnotation: runAnnotationResolvers,
  ExperimentRepeatedRunGroup: groupResolvers,
  EvaluationChunk: evaluationChunkResolvers,
};

/** Types whose sources contain more than the row id of a node, so that some of their fields are properties. */
const WITH_PROPERTIES: ReadonlySet<string> = new Set([
  'SpanIOValue',
  'Dashboard',
  'OnlineEvaluator',
  'PromptConfig',
  'SpanMetricGroup',
  'ExperimentRunAnnotation',
  'EvaluationChunk',
  'ExperimentNote',
  'ExperimentErrorGroup',
  'DatasetSource',
  'CategoricalAnnotationConfig',
  'ContinuousAnnotationConfig',
]);

/** The schema of the files in `schema/`, one per noun, with its resolvers. */
export function createSchema(): GraphQLSchema {
  // A test validates the files. Otherwise the start would validate them, and the first query the schema.
  const schema = buildASTSchema(withoutGuards(parse(readSchemaText(), { noLocation: true })), { assumeValid: true });
  defineScalars(schema);
  for (const [typeName, resolvers] of Object.entries(RESOLVERS)) {
    const type = schema.getType(typeName);
    assert(isObjectType(type), `the schema has no type ${typeName}`);
    const fields = type.getFields();
    const isWrite = typeName === 'Mutation';
    const kind = { isWrite, isRoot: isWrite || typeName === 'Query' };
    for (const [name, resolve] of Object.entries(resolvers)) {
      assert(fields[name], `the schema has no field ${typeName}.${name}`);
      fields[name].resolve = boundedResolver(fields[name], guardedResolver(fields[name], resolve, kind));
    }
    // A node is only its row id, so it has no properties that could be fields.
    const unresolved = Object.keys(fields).filter((name) => !WITH_PROPERTIES.has(typeName) && !resolvers[name]);
    assert.deepEqual(unresolved, [], `fields of ${typeName} without a resolver`);
  }
  setSubscribers(schema);
  setConversion(schema, 'ChatPromptVersionInput', withCurrentParameters);
  for (const type of Object.values(schema.getTypeMap())) {
    if (isObjectType(type)) boundLists(type);
    // A member of a union or interface is a node, or has `__typename`.
    if (isUnionType(type) || isInterfaceType(type)) {
      type.resolveType = (source) => source.__typename ?? (source as NodeRef).type;
    }
  }
  return schema;
}

const SUBSCRIBERS: Readonly<Record<string, Subscriber>> = { ...chatSubscribers, ...cellSubscribers };

function setSubscribers(schema: GraphQLSchema): void {
  const fields = schema.getSubscriptionType()?.getFields() ?? {};
  assert.deepEqual(Object.keys(fields).sort(), Object.keys(SUBSCRIBERS).sort());
  for (const [name, subscriber] of Object.entries(SUBSCRIBERS)) {
    const field = expectPresent(fields[name], 'compared above');
    // The types of `graphql` describe subscriptions of its own.
    field.subscribe = guardedSubscriber(field, subscriber) as unknown as NonNullable<typeof field.subscribe>;
  }
}

/** Directives of guards are declarations for this server, so introspection does not show them. Fields keep theirs. */
const withoutGuards = (document: DocumentNode): DocumentNode => ({
  ...document,
  definitions: document.definitions.filter(({ kind }) => kind !== Kind.DIRECTIVE_DEFINITION),
});

/** Limits lists that are plain properties, too. The edges of a connection are limited together with the connection. */
function boundLists(type: GraphQLObjectType): void {
  if (type.name.endsWith('Connection') || type.name.startsWith('__')) return;
  for (const field of Object.values(type.getFields())) {
    if (field.resolve || !isListType(getNullableType(field.type)) || isLeafType(getNamedType(field.type))) continue;
    field.resolve = boundedResolver(field, (source) => source[field.name]);
  }
}

/** Reads the `.graphql` files beside the resolvers, or in the folder of the bundle. */
export function readSchemaText(): string {
  const folder = fileURLToPath(new URL('./', import.meta.url));
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.graphql'));
  return paths
    .sort()
    .map((path) => readFileSync(join(folder, path), 'utf8'))
    .join('\n');
}
