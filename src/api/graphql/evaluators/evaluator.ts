import type { BuiltInEvaluator, CodeEvaluator, LlmEvaluator } from '../../../model/evaluators/evaluator.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { authorRef } from '../access/user.ts';
import { toOwnedConfigNode } from '../annotations/annotation-config.ts';
import type { PageArguments } from '../arguments.ts';
import { offsetConnection } from '../connections.ts';
import { type BatchLoader, whenKnown } from '../execution/batch-loader.ts';
import type { Loaders } from '../loaders.ts';
import {
  datasetEvaluatorRef,
  datasetRef,
  fromRow,
  id,
  type NodeRef,
  promptRef,
  promptVersionRef,
  promptVersionTagRef,
  type Resolver,
  type Resolvers,
} from '../resolvers.ts';

type EvaluatorRow = LlmEvaluator | CodeEvaluator | BuiltInEvaluator;
type EvaluatorNode = NodeRef<'LLMEvaluator' | 'CodeEvaluator' | 'BuiltInEvaluator'>;

const KINDS = { LLMEvaluator: 'LLM', CodeEvaluator: 'CODE', BuiltInEvaluator: 'BUILTIN' } as const;

/** Fields of all evaluators. */
export function evaluatorResolvers<Row extends EvaluatorRow>(
  type: EvaluatorNode['type'],
  loader: (loaders: Loaders) => BatchLoader<number, Row>,
): Resolvers {
  const row = fromRow(loader);
  return {
    id,
    name: row(({ name }) => name),
    description: row(({ description }) => description),
    metadata: row(({ metadata }) => metadata),
    createdAt: row(({ createdAt }) => createdAt),
    updatedAt: row(({ updatedAt }) => updatedAt),
    kind: row(() => KINDS[type]),
    isBuiltin: row(() => type === 'BuiltInEvaluator'),
    user: row(authorRef),
    outputConfigs: row(({ rowId, outputConfigs }, { items }) => {
      items.take(outputConfigs.length);
      return outputConfigs.map((config) => toOwnedConfigNode(config, toGlobalId(type, rowId)));
    }),
    datasets: ({ rowId }: EvaluatorNode, args: PageArguments, { loaders, items }) =>
      whenKnown(loaders.bindingsOfEvaluators.load(rowId), (bindings = []) => {
        const datasetIds = new Set(bindings.map(({ datasetRowId }) => datasetRowId));
        return offsetConnection([...datasetIds], args, datasetRef, items);
      }),
    datasetEvaluators: ({ rowId }: EvaluatorNode, _args: unknown, { loaders, items }) =>
      whenKnown(loaders.bindingsOfEvaluators.load(rowId), (bindings = []) => {
        items.take(bindings.length);
        return bindings.map((binding) => datasetEvaluatorRef(binding.rowId));
      }),
  };
}

const builtIn = fromRow(({ builtInEvaluators }) => builtInEvaluators);

export const builtInEvaluatorResolvers: Resolvers = {
  ...evaluatorResolvers('BuiltInEvaluator', ({ builtInEvaluators }) => builtInEvaluators),
  inputSchema: builtIn(({ inputSchema }) => inputSchema),
};

const llm = fromRow(({ llmEvaluators }) => llmEvaluators);

export const llmEvaluatorResolvers: Resolvers = {
  ...evaluatorResolvers('LLMEvaluator', ({ llmEvaluators }) => llmEvaluators),
  // Its inputs are the variables of its prompt.
  inputSchema: llm(() => null),
  prompt: llm(({ promptId }) => promptRef(promptId)),
  promptVersionTag: llm(({ promptVersionTagId }) => promptVersionTagId && promptVersionTagRef(promptVersionTagId)),
  promptVersion: promptVersion(),
};

/** The version with its tag, else the newest. */
function promptVersion(): Resolver<NodeRef> {
  return llm(async ({ promptId, promptVersionTagId }, { loaders }) => {
    const tag = promptVersionTagId === null ? undefined : await loaders.promptVersionTags.load(promptVersionTagId);
    if (tag) return promptVersionRef(tag.promptVersionId);
    const [latest] = (await loaders.versionIdsOfPrompts.load(promptId)) ?? [];
    return latest === undefined ? null : promptVersionRef(latest);
  });
}
