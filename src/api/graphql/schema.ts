import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isUnionType,
} from 'graphql';
import {
  documentAnnotationResolvers,
  sessionAnnotationResolvers,
  spanAnnotationResolvers,
  traceAnnotationResolvers,
} from './annotation.ts';
import { annotationConfigMutations, annotationConfigQueries } from './annotation-config-mutations.ts';
import { annotationMutations } from './annotation-mutations.ts';
import { boundedResolver } from './bounded-resolver.ts';
import { customProviderResolvers } from './custom-provider.ts';
import { customProviderMutations } from './custom-provider-mutations.ts';
import { customProviderQueries } from './custom-provider-queries.ts';
import { datasetResolvers, datasetVersionResolvers } from './dataset.ts';
import { datasetEvaluatorResolvers, evaluatorsOfDataset } from './dataset-evaluator.ts';
import { exampleResolvers, spanExampleResolvers } from './dataset-example.ts';
import { exampleMutations } from './dataset-example-mutations.ts';
import { datasetLabelResolvers, datasetSplitResolvers } from './dataset-group.ts';
import { labelMutations, splitMutations } from './dataset-group-mutations.ts';
import { datasetMutations } from './dataset-mutations.ts';
import { datasetQueries } from './dataset-queries.ts';
import { documentEvaluationSummaryResolvers } from './document-evaluation-summary.ts';
import { documentRetrievalResolvers } from './document-retrieval.ts';
import { builtInEvaluatorResolvers, llmEvaluatorResolvers } from './evaluator.ts';
import { evaluatorMutations } from './evaluator-mutations.ts';
import { evaluatorQueries } from './evaluator-queries.ts';
import { experimentResolvers, experimentsOfDataset, experimentTagResolvers } from './experiment.ts';
import { experimentJobMutations, experimentJobResolvers, jobOfExperiment, jobsOfDataset } from './experiment-job.ts';
import { experimentMutations } from './experiment-mutations.ts';
import { experimentQueries } from './experiment-queries.ts';
import { groupResolvers, runAnnotationResolvers, runResolvers, runsOfExample } from './experiment-run.ts';
import { invocationParameterResolvers } from './invocation-parameter.ts';
import { modelResolvers } from './model.ts';
import { modelMutations } from './model-mutations.ts';
import { modelQueries } from './model-queries.ts';
import { nodeQueries } from './node.ts';
import { projectResolvers } from './project.ts';
import { projectAnnotationMutations } from './project-annotation-mutations.ts';
import { projectMutations } from './project-mutations.ts';
import { projectQueries } from './project-queries.ts';
import { promptLabelResolvers, promptResolvers, promptVersionResolvers, promptVersionTagResolvers } from './prompt.ts';
import { promptLabelMutations } from './prompt-label-mutations.ts';
import { promptMutations } from './prompt-mutations.ts';
import { promptQueries } from './prompt-queries.ts';
import { queryResolvers } from './query.ts';
import type { NodeRef, Resolvers } from './resolvers.ts';
import { retentionPolicyResolvers, retentionQueries } from './retention.ts';
import { retentionMutations } from './retention-mutations.ts';
import { savedViewMutations, viewsOfProject } from './saved-view.ts';
import { defineScalars } from './scalars.ts';
import { searchQueries } from './search.ts';
import { sessionResolvers } from './session.ts';
import { shapeExampleResolvers } from './shape-examples.ts';
import { ioValueResolvers, spanResolvers } from './span.ts';
import { storageQueries } from './storage-queries.ts';
import { traceResolvers } from './trace.ts';
import { traceMutations } from './trace-mutations.ts';
import { traceSkeletonResolvers } from './trace-skeleton.ts';
import { userQueries } from './user.ts';

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
    ...storageQueries,
    ...searchQueries,
    ...userQueries,
  },
  Mutation: {
    ...projectMutations,
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
    ...datasetMutations,
    ...exampleMutations,
    ...splitMutations,
    ...labelMutations,
    ...evaluatorMutations,
    ...experimentMutations,
    ...experimentJobMutations,
  },
  Project: { ...projectResolvers, ...viewsOfProject },
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

/** Types whose sources are more than a node's row id, so that some of their fields are properties. */
const WITH_PROPERTIES: ReadonlySet<string> = new Set([
  'SpanIOValue',
  'ExperimentJob',
  'ExperimentRunAnnotation',
  'CategoricalAnnotationConfig',
  'ContinuousAnnotationConfig',
]);

/** The schema of the files in `schema/`, one a noun, with its resolvers. */
export function createSchema(): GraphQLSchema {
  const schema = buildSchema(readSchemaText());
  defineScalars(schema);
  for (const [typeName, resolvers] of Object.entries(RESOLVERS)) {
    const type = schema.getType(typeName);
    assert(isObjectType(type), `the schema has no type ${typeName}`);
    const fields = type.getFields();
    for (const [name, resolve] of Object.entries(resolvers)) {
      assert(fields[name], `the schema has no field ${typeName}.${name}`);
      fields[name].resolve = boundedResolver(fields[name], resolve);
    }
    // A node is its row id alone, so it has no properties that could stand for a field.
    const unresolved = Object.keys(fields).filter((name) => !WITH_PROPERTIES.has(typeName) && !resolvers[name]);
    assert.deepEqual(unresolved, [], `fields of ${typeName} without a resolver`);
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (isObjectType(type)) boundLists(type);
    // A member of a union or interface is a node, or says what it is.
    if (isUnionType(type) || isInterfaceType(type)) {
      type.resolveType = (source) => source.__typename ?? (source as NodeRef).type;
    }
  }
  return schema;
}

/** Limits lists that are plain properties, too. The edges of a connection are limited together with the connection. */
function boundLists(type: GraphQLObjectType): void {
  if (type.name.endsWith('Connection') || type.name.startsWith('__')) return;
  for (const field of Object.values(type.getFields())) {
    if (field.resolve || !isListType(getNullableType(field.type)) || isLeafType(getNamedType(field.type))) continue;
    field.resolve = boundedResolver(field, (source) => source[field.name]);
  }
}

function readSchemaText(): string {
  const folder = new URL('./schema/', import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith('.graphql'));
  return names
    .sort()
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
}
