import type { GraphQLResolveInfo } from 'graphql';
import { type ErrorCode, SpandrelError } from '../../model/errors.ts';
import { toGlobalId } from '../contract/global-id.ts';
import type { GraphqlContext } from './context.ts';
import { type BatchLoader, whenKnown } from './execution/batch-loader.ts';
import type { Loaders } from './loaders.ts';
import type { FieldInfo } from './node-fields.ts';

/** Resolves a field of a source, given its arguments. */
// biome-ignore lint/suspicious/noExplicitAny: the schema says what a source and arguments are, not the type checker
export type Resolver<Source = any, Arguments = any> = (
  source: Source,
  args: Arguments,
  context: GraphqlContext,
  info?: GraphQLResolveInfo & FieldInfo,
) => unknown;

/** Resolvers of the fields of a type. A field without a resolver is a property of its source. */
export type Resolvers = Readonly<Record<string, Resolver>>;

export type AnnotationNodeType =
  | 'SpanAnnotation'
  | 'TraceAnnotation'
  | 'ProjectSessionAnnotation'
  | 'DocumentAnnotation';

/** Types of the schema that are nodes: a subset of those that have global IDs. */
export type NodeType =
  | 'Project'
  | 'Trace'
  | 'Span'
  | 'ProjectSession'
  | 'ProjectTraceRetentionPolicy'
  | AnnotationNodeType
  | 'Prompt'
  | 'PromptVersion'
  | 'PromptVersionTag'
  | 'PromptLabel'
  | 'Dataset'
  | 'DatasetVersion'
  | 'DatasetExample'
  | 'DatasetSplit'
  | 'DatasetLabel'
  | 'Experiment'
  | 'ExperimentRun'
  | 'ExperimentTag'
  | 'ExperimentJob'
  | 'ExperimentLog'
  | 'PromptTaskConfig'
  | 'GenerativeModel'
  | 'GenerativeModelCustomProvider'
  | 'User'
  | 'UserApiKey'
  | 'SystemApiKey'
  | 'OAuth2Grant'
  | 'LLMEvaluator'
  | 'BuiltInEvaluator'
  | 'CodeEvaluator'
  | 'CodeEvaluatorVersion'
  | 'SandboxConfig'
  | 'DatasetEvaluator'
  | 'Calibration';

/** A payload that is the query root, so that clients can read again in the same request. */
export const QUERY = {};

/**
 * A node, given only by its row id: whether the row exists is determined when a field of it is read. Lists add the rows
 * that they have read to the loaders.
 */
export interface NodeRef<Type extends NodeType = NodeType> {
  readonly type: Type;
  readonly rowId: number;
}

export const projectRef = (rowId: number): NodeRef<'Project'> => ({ type: 'Project', rowId });
export const traceRef = (rowId: number): NodeRef<'Trace'> => ({ type: 'Trace', rowId });
export const spanRef = (rowId: number): NodeRef<'Span'> => ({ type: 'Span', rowId });
export const sessionRef = (rowId: number): NodeRef<'ProjectSession'> => ({ type: 'ProjectSession', rowId });
export const retentionPolicyRef = (rowId: number): NodeRef<'ProjectTraceRetentionPolicy'> => ({
  type: 'ProjectTraceRetentionPolicy',
  rowId,
});
export const annotationRef = <Type extends AnnotationNodeType>(type: Type, rowId: number): NodeRef<Type> => ({
  type,
  rowId,
});
export const promptRef = (rowId: number): NodeRef<'Prompt'> => ({ type: 'Prompt', rowId });
export const promptVersionRef = (rowId: number): NodeRef<'PromptVersion'> => ({ type: 'PromptVersion', rowId });
export const promptVersionTagRef = (rowId: number): NodeRef<'PromptVersionTag'> => ({
  type: 'PromptVersionTag',
  rowId,
});
export const promptLabelRef = (rowId: number): NodeRef<'PromptLabel'> => ({ type: 'PromptLabel', rowId });
export const datasetRef = (rowId: number): NodeRef<'Dataset'> => ({ type: 'Dataset', rowId });
export const datasetVersionRef = (rowId: number): NodeRef<'DatasetVersion'> => ({ type: 'DatasetVersion', rowId });
export const datasetSplitRef = (rowId: number): NodeRef<'DatasetSplit'> => ({ type: 'DatasetSplit', rowId });
export const datasetLabelRef = (rowId: number): NodeRef<'DatasetLabel'> => ({ type: 'DatasetLabel', rowId });
export const experimentRef = (rowId: number): NodeRef<'Experiment'> => ({ type: 'Experiment', rowId });
export const runRef = (rowId: number): NodeRef<'ExperimentRun'> => ({ type: 'ExperimentRun', rowId });
export const experimentJobRef = (rowId: number): NodeRef<'ExperimentJob'> => ({ type: 'ExperimentJob', rowId });
export const experimentLogRef = (rowId: number): NodeRef<'ExperimentLog'> => ({ type: 'ExperimentLog', rowId });
export const promptTaskConfigRef = (rowId: number): NodeRef<'PromptTaskConfig'> => ({
  type: 'PromptTaskConfig',
  rowId,
});
export const experimentTagRef = (rowId: number): NodeRef<'ExperimentTag'> => ({ type: 'ExperimentTag', rowId });
/** An example, with the revision of its list if there is one. */
export interface ExampleRef extends NodeRef<'DatasetExample'> {
  readonly revisionRowId?: number;
}
export const exampleRef = (rowId: number, revisionRowId?: number): ExampleRef => ({
  type: 'DatasetExample',
  rowId,
  ...(revisionRowId !== undefined && { revisionRowId }),
});
export const modelRef = (rowId: number): NodeRef<'GenerativeModel'> => ({ type: 'GenerativeModel', rowId });
export const customProviderRef = (rowId: number): NodeRef<'GenerativeModelCustomProvider'> => ({
  type: 'GenerativeModelCustomProvider',
  rowId,
});

export const llmEvaluatorRef = (rowId: number): NodeRef<'LLMEvaluator'> => ({ type: 'LLMEvaluator', rowId });
export const builtInEvaluatorRef = (rowId: number): NodeRef<'BuiltInEvaluator'> => ({
  type: 'BuiltInEvaluator',
  rowId,
});
export const codeEvaluatorRef = (rowId: number): NodeRef<'CodeEvaluator'> => ({ type: 'CodeEvaluator', rowId });
export const codeVersionRef = (rowId: number): NodeRef<'CodeEvaluatorVersion'> => ({
  type: 'CodeEvaluatorVersion',
  rowId,
});
export const sandboxConfigRef = (rowId: number): NodeRef<'SandboxConfig'> => ({ type: 'SandboxConfig', rowId });
export const datasetEvaluatorRef = (rowId: number): NodeRef<'DatasetEvaluator'> => ({
  type: 'DatasetEvaluator',
  rowId,
});

export const calibrationRef = (rowId: number): NodeRef<'Calibration'> => ({ type: 'Calibration', rowId });

export const userRef = (rowId: number): NodeRef<'User'> => ({ type: 'User', rowId });
export const userApiKeyRef = (rowId: number): NodeRef<'UserApiKey'> => ({ type: 'UserApiKey', rowId });
export const grantRef = (rowId: number): NodeRef<'OAuth2Grant'> => ({ type: 'OAuth2Grant', rowId });
export const systemApiKeyRef = (rowId: number): NodeRef<'SystemApiKey'> => ({ type: 'SystemApiKey', rowId });

export const id: Resolver<NodeRef> = ({ type, rowId }) => toGlobalId(type, rowId);

/** A field that is computed from the row of its node. */
export const fromRow =
  <Row>(loader: (loaders: Loaders) => BatchLoader<number, Row>) =>
  <Arguments = unknown>(
    compute: (row: Row, context: GraphqlContext, args: Arguments) => unknown,
  ): Resolver<NodeRef, Arguments> =>
  (node, args, context) =>
    whenKnown(loader(context.loaders).load(node.rowId), (row) => compute(row ?? missing(node), context, args));

const NOT_FOUND = {
  Project: 'PROJECT_NOT_FOUND',
  Trace: 'TRACE_NOT_FOUND',
  Span: 'SPAN_NOT_FOUND',
  ProjectSession: 'SESSION_NOT_FOUND',
  ProjectTraceRetentionPolicy: 'RETENTION_POLICY_NOT_FOUND',
  SpanAnnotation: 'ANNOTATION_NOT_FOUND',
  TraceAnnotation: 'ANNOTATION_NOT_FOUND',
  ProjectSessionAnnotation: 'ANNOTATION_NOT_FOUND',
  DocumentAnnotation: 'ANNOTATION_NOT_FOUND',
  Prompt: 'PROMPT_NOT_FOUND',
  PromptVersion: 'PROMPT_VERSION_NOT_FOUND',
  PromptVersionTag: 'PROMPT_TAG_NOT_FOUND',
  PromptLabel: 'PROMPT_LABEL_NOT_FOUND',
  Dataset: 'DATASET_NOT_FOUND',
  DatasetVersion: 'DATASET_VERSION_NOT_FOUND',
  DatasetExample: 'DATASET_EXAMPLE_NOT_FOUND',
  DatasetSplit: 'DATASET_SPLIT_NOT_FOUND',
  DatasetLabel: 'DATASET_LABEL_NOT_FOUND',
  Experiment: 'EXPERIMENT_NOT_FOUND',
  ExperimentRun: 'EXPERIMENT_RUN_NOT_FOUND',
  ExperimentTag: 'EXPERIMENT_TAG_NOT_FOUND',
  ExperimentJob: 'EXPERIMENT_JOB_NOT_FOUND',
  ExperimentLog: 'NODE_NOT_FOUND',
  PromptTaskConfig: 'NODE_NOT_FOUND',
  User: 'USER_NOT_FOUND',
  UserApiKey: 'API_KEY_NOT_FOUND',
  SystemApiKey: 'API_KEY_NOT_FOUND',
  OAuth2Grant: 'OAUTH2_GRANT_NOT_FOUND',
  GenerativeModel: 'MODEL_NOT_FOUND',
  GenerativeModelCustomProvider: 'PROVIDER_NOT_FOUND',
  LLMEvaluator: 'EVALUATOR_NOT_FOUND',
  BuiltInEvaluator: 'EVALUATOR_NOT_FOUND',
  CodeEvaluator: 'EVALUATOR_NOT_FOUND',
  CodeEvaluatorVersion: 'CODE_VERSION_NOT_FOUND',
  SandboxConfig: 'SANDBOX_CONFIG_NOT_FOUND',
  DatasetEvaluator: 'DATASET_EVALUATOR_NOT_FOUND',
  Calibration: 'CALIBRATION_NOT_FOUND',
} as const satisfies Record<NodeType, ErrorCode>;

export function missing({ type, rowId }: NodeRef): never {
  throw new SpandrelError(NOT_FOUND[type], `${type} with ID ${toGlobalId(type, rowId)} not found`);
}
