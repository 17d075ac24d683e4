import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  buildSchema,
  type GraphQLObjectType,
  GraphQLSchema,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isSpecifiedDirective,
  isUnionType,
} from 'graphql';
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
import { datasetResolvers, datasetVersionResolvers } from './datasets/dataset.ts';
import { exampleResolvers, spanExampleResolvers } from './datasets/dataset-example.ts';
import { exampleMutations } from './datasets/dataset-example-mutations.ts';
import { datasetLabelResolvers, datasetSplitResolvers } from './datasets/dataset-group.ts';
import { labelMutations, splitMutations } from './datasets/dataset-group-mutations.ts';
import { datasetMutations } from './datasets/dataset-mutations.ts';
import { datasetQueries } from './datasets/dataset-queries.ts';
import { datasetEvaluatorResolvers, evaluatorsOfDataset } from './evaluators/dataset-evaluator.ts';
import { builtInEvaluatorResolvers, llmEvaluatorResolvers } from './evaluators/evaluator.ts';
import { evaluatorMutations } from './evaluators/evaluator-mutations.ts';
import { evaluatorQueries } from './evaluators/evaluator-queries.ts';
import { boundedResolver } from './execution/bounded-resolver.ts';
import { guardedResolver } from './execution/guarded-resolver.ts';
import { experimentResolvers, experimentsOfDataset, experimentTagResolvers } from './experiments/experiment.ts';
import {
  experimentJobMutations,
  experimentJobResolvers,
  jobOfExperiment,
  jobsOfDataset,
} from './experiments/experiment-job.ts';
import { experimentMutations } from './experiments/experiment-mutations.ts';
import { experimentQueries } from './experiments/experiment-queries.ts';
import { groupResolvers, runAnnotationResolvers, runResolvers, runsOfExample } from './experiments/experiment-run.ts';
import { customProviderResolvers } from './models/custom-provider.ts';
import { customProviderMutations } from './models/custom-provider-mutations.ts';
import { customProviderQueries } from './models/custom-provider-queries.ts';
import { invocationParameterResolvers } from './models/invocation-parameter.ts';
import { modelResolvers } from './models/model.ts';
import { modelMutations } from './models/model-mutations.ts';
import { modelQueries } from './models/model-queries.ts';
import { nodeQueries } from './node.ts';
import { projectResolvers } from './projects/project.ts';
import { accessOfProject, projectAccessMutations } from './projects/project-access.ts';
import { projectMutations } from './projects/project-mutations.ts';
import { projectQueries } from './projects/project-queries.ts';
import { retentionPolicyResolvers, retentionQueries } from './projects/retention.ts';
import { retentionMutations } from './projects/retention-mutations.ts';
import { savedViewMutations, viewsOfProject } from './projects/saved-view.ts';
import {
  promptLabelResolvers,
  promptResolvers,
  promptVersionResolvers,
  promptVersionTagResolvers,
} from './prompts/prompt.ts';
import { promptLabelMutations } from './prompts/prompt-label-mutations.ts';
import { promptMutations } from './prompts/prompt-mutations.ts';
import { promptQueries } from './prompts/prompt-queries.ts';
import { queryResolvers } from './query.ts';
import type { NodeRef, Resolvers } from './resolvers.ts';
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
    ...customProviderQueries,
    ...datasetQueries,
    ...evaluatorQueries,
    ...experimentQueries,
    ...retentionQueries,
    ...secretQueries,
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
    ...annotationMutations,
    ...annotationConfigMutations,
    ...modelMutations,
    ...customProviderMutations,
    ...secretMutations,
    ...datasetMutations,
    ...exampleMutations,
    ...splitMutations,
    ...labelMutations,
    ...evaluatorMutations,
    ...experimentMutations,
    ...experimentJobMutations,
    ...userMutations,
    ...apiKeyMutations,
    ...grantMutations,
  },
  User: { ...userResolvers, ...grantsOfUser },
  OAuth2Grant: grantResolvers,
  UserApiKey: userApiKeyResolvers,
  SystemApiKey: systemApiKeyResolvers,
  Project: { ...projectResolvers, ...viewsOfProject, ...accessOfProject },
  Trace: traceResolvers,
  TraceSkeleton: traceSkeletonResolvers,
  Span: { ...spanResolvers, ...spanExampleResolvers, ...invocationParameterResolvers },
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
  PromptLabel: promptLabelResolvers,
  GenerativeModel: modelResolvers,
  GenerativeModelCustomProvider: customProviderResolvers,
  Secret: secretResolvers,
  Dataset: { ...datasetResolvers, ...evaluatorsOfDataset, ...experimentsOfDataset, ...jobsOfDataset },
  DatasetEvaluator: datasetEvaluatorResolvers,
  LLMEvaluator: llmEvaluatorResolvers,
  BuiltInEvaluator: builtInEvaluatorResolvers,
  DatasetVersion: datasetVersionResolvers,
  DatasetExample: { ...exampleResolvers, ...runsOfExample },
  DatasetSplit: datasetSplitResolvers,
  DatasetLabel: datasetLabelResolvers,
  Experiment: { ...experimentResolvers, ...jobOfExperiment },
  ExperimentJob: experimentJobResolvers,
  ExperimentRun: runResolvers,
  ExperimentTag: experimentTagResolvers,
  ExperimentRunAnnotation: runAnnotationResolvers,
  ExperimentRepeatedRunGroup: groupResolvers,
};

/** Types whose sources contain more than the row id of a node, so that some of their fields are properties. */
const WITH_PROPERTIES: ReadonlySet<string> = new Set([
  'SpanIOValue',
  'ExperimentJob',
  'ExperimentRunAnnotation',
  'CategoricalAnnotationConfig',
  'ContinuousAnnotationConfig',
]);

/** The schema of the files in `schema/`, one per noun, with its resolvers. */
export function createSchema(): GraphQLSchema {
  // A test validates the files, which takes a tenth of a second.
  const schema = withoutGuards(buildSchema(readSchemaText(), { assumeValidSDL: true }));
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
  for (const type of Object.values(schema.getTypeMap())) {
    if (isObjectType(type)) boundLists(type);
    // A member of a union or interface is a node, or has `__typename`.
    if (isUnionType(type) || isInterfaceType(type)) {
      type.resolveType = (source) => source.__typename ?? (source as NodeRef).type;
    }
  }
  return schema;
}

/** Directives of guards are declarations for this server, so introspection does not show them. */
function withoutGuards(schema: GraphQLSchema): GraphQLSchema {
  const config = schema.toConfig();
  return new GraphQLSchema({ ...config, directives: config.directives.filter(isSpecifiedDirective) });
}

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
