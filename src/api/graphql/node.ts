import { SpandrelError } from '../../model/errors.ts';
import { checkUserNode, findGrantNode } from './access/user-queries.ts';
import type { GraphqlContext } from './context.ts';
import { whenKnown } from './execution/batch-loader.ts';
import { checkAccess } from './execution/guarded-resolver.ts';
import { parseGroupId } from './experiments/run-group.ts';
import {
  annotationRef,
  builtInEvaluatorRef,
  calibrationRef,
  codeEvaluatorRef,
  codeVersionRef,
  customProviderRef,
  datasetEvaluatorRef,
  datasetLabelRef,
  datasetRef,
  datasetSplitRef,
  datasetVersionRef,
  exampleRef,
  experimentJobRef,
  experimentLogRef,
  experimentRef,
  experimentTagRef,
  grantRef,
  llmEvaluatorRef,
  missing,
  modelRef,
  type NodeRef,
  type NodeType,
  projectRef,
  promptLabelRef,
  promptRef,
  promptTaskConfigRef,
  promptVersionRef,
  promptVersionTagRef,
  type Resolvers,
  retentionPolicyRef,
  runRef,
  sandboxConfigRef,
  sessionRef,
  spanRef,
  systemApiKeyRef,
  traceRef,
  userApiKeyRef,
  userRef,
} from './resolvers.ts';
import { parseSandboxProviderId } from './sandboxes/sandbox.ts';
import { parseSecretId } from './secrets/secret.ts';

export const nodeQueries: Resolvers = {
  node: (_source: unknown, { id }: { readonly id: string }, context: GraphqlContext) => findNode(id, context),
  nodes: (_source: unknown, { ids }: { readonly ids: readonly string[] }, context: GraphqlContext) => {
    context.items.take(ids.length);
    return ids.map((id) => findNode(id, context));
  },
};

function findNode(id: string, context: GraphqlContext) {
  const group = parseGroupId(id);
  if (group) return group;
  const secret = parseSecretId(id);
  if (secret) return secret;
  const sandboxProvider = parseSandboxProviderId(id);
  if (sandboxProvider) return sandboxProvider;
  const node = parseNodeId(id);
  if (node.type === 'User') checkUserNode(node as NodeRef<'User'>, context);
  if (node.type === 'UserApiKey' || node.type === 'SystemApiKey')
    checkAccess(context.domain.caller, 'strictAdmin', false);
  if (node.type === 'OAuth2Grant') return findGrantNode(node, context);
  if (node.type === 'ExperimentJob') {
    return whenKnown(context.loaders.jobs.load(node.rowId), (job) => (job ? node : missing(node)));
  }
  // Clients expect an immediate error only for this type.
  if (node.type !== 'PromptVersion') return node;
  return whenKnown(context.loaders.promptVersions.load(node.rowId), (version) =>
    version ? node : promptVersionNotFound(id),
  );
}

const NODE_TYPES: Readonly<Record<NodeType, (rowId: number) => NodeRef>> = {
  Project: projectRef,
  Trace: traceRef,
  Span: spanRef,
  ProjectSession: sessionRef,
  ProjectTraceRetentionPolicy: retentionPolicyRef,
  SpanAnnotation: (rowId) => annotationRef('SpanAnnotation', rowId),
  TraceAnnotation: (rowId) => annotationRef('TraceAnnotation', rowId),
  ProjectSessionAnnotation: (rowId) => annotationRef('ProjectSessionAnnotation', rowId),
  DocumentAnnotation: (rowId) => annotationRef('DocumentAnnotation', rowId),
  Prompt: promptRef,
  PromptVersion: promptVersionRef,
  PromptVersionTag: promptVersionTagRef,
  PromptLabel: promptLabelRef,
  Dataset: datasetRef,
  DatasetVersion: datasetVersionRef,
  DatasetExample: (rowId) => exampleRef(rowId),
  DatasetSplit: datasetSplitRef,
  DatasetLabel: datasetLabelRef,
  Experiment: experimentRef,
  ExperimentRun: runRef,
  ExperimentTag: experimentTagRef,
  ExperimentJob: experimentJobRef,
  ExperimentLog: experimentLogRef,
  PromptTaskConfig: promptTaskConfigRef,
  GenerativeModel: modelRef,
  GenerativeModelCustomProvider: customProviderRef,
  LLMEvaluator: llmEvaluatorRef,
  BuiltInEvaluator: builtInEvaluatorRef,
  CodeEvaluator: codeEvaluatorRef,
  CodeEvaluatorVersion: codeVersionRef,
  SandboxConfig: sandboxConfigRef,
  DatasetEvaluator: datasetEvaluatorRef,
  Calibration: calibrationRef,
  User: userRef,
  UserApiKey: userApiKeyRef,
  SystemApiKey: systemApiKeyRef,
  OAuth2Grant: grantRef,
};

/** The node that a global ID names, whether or not it exists. */
export function parseNodeId(globalId: string): NodeRef {
  const match = /^([A-Za-z]\w*):(.+)$/s.exec(Buffer.from(globalId, 'base64').toString());
  const [, type = '', localId = ''] = match ?? [];
  if (!match || localId.includes(':')) return invalid(`Unknown node: ${globalId}`);
  if (!/^\d{1,15}$/.test(localId)) {
    return invalid(`Invalid node id: ${globalId}. The id of a ${type} node must be an integer, but got: ${localId}`);
  }
  if (!Object.hasOwn(NODE_TYPES, type)) return invalid(`Unknown node type: ${type}`);
  return NODE_TYPES[type as NodeType](Number(localId));
}

/** Row ids of nodes of one type. */
export const rowIdsOfNodes = (type: NodeType, globalIds: readonly string[]): number[] =>
  globalIds.map((globalId) => rowIdOfNode(type, globalId));

/** Row id of a node of one type. */
export function rowIdOfNode(type: NodeType, globalId: string): number {
  const node = parseNodeId(globalId);
  if (node.type === type) return node.rowId;
  return invalid(
    `The node id must correspond to a node of type ${type}, but instead corresponds to a node of type: ${node.type}`,
  );
}

const promptVersionNotFound = (id: string): never => {
  throw new SpandrelError('PROMPT_VERSION_NOT_FOUND', `Unknown prompt version: ${id}`);
};

const invalid = (message: string): never => {
  throw new SpandrelError('NODE_ID_INVALID', message);
};
