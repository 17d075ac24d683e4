import type {
  BuiltInEvaluator,
  CodeEvaluator,
  DatasetEvaluator,
  EvaluatorRef,
  LlmEvaluator,
} from '../../../model/evaluators/evaluator.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { authorRef } from '../access/user.ts';
import { toOwnedConfigNode } from '../annotations/annotation-config.ts';
import type { PageArguments } from '../arguments.ts';
import { offsetConnection } from '../connections.ts';
import type { GraphqlContext } from '../context.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import { rowIdOfNode } from '../node.ts';
import {
  builtInEvaluatorRef,
  codeEvaluatorRef,
  datasetEvaluatorRef,
  datasetRef,
  fromRow,
  id,
  llmEvaluatorRef,
  missing,
  type NodeRef,
  projectRef,
  type Resolvers,
} from '../resolvers.ts';

export const toEvaluatorRef = ({ kind, rowId }: EvaluatorRef): NodeRef =>
  kind === 'LLM' ? llmEvaluatorRef(rowId) : kind === 'CODE' ? codeEvaluatorRef(rowId) : builtInEvaluatorRef(rowId);

const row = fromRow(({ datasetEvaluators }) => datasetEvaluators);

export const datasetEvaluatorResolvers: Resolvers = {
  id,
  name: row(({ name }) => name),
  updatedAt: row(({ updatedAt }) => updatedAt),
  dataset: row(({ datasetRowId }) => datasetRef(datasetRowId)),
  evaluator: row(({ evaluator }) => toEvaluatorRef(evaluator)),
  description: row(({ description, evaluator }, context) =>
    description === null ? whenKnown(loadEvaluator(evaluator, context), (base) => base.description) : description,
  ),
  inputMapping: row(({ inputMapping: { paths, literals } }) => ({ pathMapping: paths, literalMapping: literals })),
  recentResults: ({ rowId }: NodeRef, _args: unknown, { loaders }: GraphqlContext) =>
    whenKnown(loaders.resultsOfEvaluators.load(rowId), (results) => results ?? null),
  agreement: ({ rowId }: NodeRef, _args: unknown, { loaders }: GraphqlContext) =>
    whenKnown(loaders.agreementOfEvaluators.load(rowId), (agreement) => agreement ?? null),
  user: row(authorRef),
  project: row(({ projectRowId }) => projectRef(projectRowId)),
  outputConfigs: row(({ rowId, outputConfigs, evaluator }, context) => {
    if (outputConfigs) {
      context.items.take(outputConfigs.length);
      return outputConfigs.map((config) => toOwnedConfigNode(config, toGlobalId('DatasetEvaluator', rowId)));
    }
    const base = toEvaluatorRef(evaluator);
    return whenKnown(loadEvaluator(evaluator, context), (found) => {
      context.items.take(found.outputConfigs.length);
      return found.outputConfigs.map((config) => toOwnedConfigNode(config, toGlobalId(base.type, base.rowId)));
    });
  }),
};

type AnyEvaluator = LlmEvaluator | CodeEvaluator | BuiltInEvaluator;

function loadEvaluator(evaluator: EvaluatorRef, { loaders }: GraphqlContext): AnyEvaluator | Promise<AnyEvaluator> {
  const found: unknown =
    evaluator.kind === 'LLM'
      ? loaders.llmEvaluators.load(evaluator.rowId)
      : evaluator.kind === 'CODE'
        ? loaders.codeEvaluators.load(evaluator.rowId)
        : loaders.builtInEvaluators.load(evaluator.rowId);
  return whenKnown(
    found as AnyEvaluator | undefined | Promise<AnyEvaluator | undefined>,
    (base) => base ?? missing(toEvaluatorRef(evaluator)),
  );
}

interface ListArguments extends PageArguments {
  readonly sort?: { readonly col: Column; readonly dir: 'asc' | 'desc' } | null;
  readonly filter?: { readonly value: string } | null;
}
type Column = 'name' | 'kind' | 'createdAt' | 'updatedAt';

/** Evaluators as fields of their dataset. */
export const evaluatorsOfDataset: Resolvers = {
  evaluatorCount: ({ rowId }: NodeRef, _args: unknown, { loaders }) =>
    whenKnown(loaders.evaluatorCountsOfDatasets.load(rowId), (count) => count ?? 0),
  datasetEvaluator: async (
    { rowId }: NodeRef,
    { datasetEvaluatorId }: { readonly datasetEvaluatorId: string },
    { loaders }: GraphqlContext,
  ) => {
    const ref = datasetEvaluatorRef(rowIdOfNode('DatasetEvaluator', datasetEvaluatorId));
    const binding = await loaders.datasetEvaluators.load(ref.rowId);
    return binding?.datasetRowId === rowId ? ref : missing(ref);
  },
  datasetEvaluators: ({ rowId }: NodeRef, args: ListArguments, { loaders, items }) =>
    whenKnown(loaders.evaluatorsOfDatasets.load(rowId), (bindings = []) => {
      const part = args.filter?.value.toLowerCase() ?? '';
      const found = bindings.filter(({ name }) => name.includes(part));
      return offsetConnection(sorted(found, args.sort), args, (binding) => datasetEvaluatorRef(binding.rowId), items);
    }),
};

const VALUES: Readonly<Record<Column, (binding: DatasetEvaluator) => string | number>> = {
  name: ({ name }) => name,
  kind: ({ evaluator }) => evaluator.kind,
  createdAt: ({ createdAt }) => createdAt.getTime(),
  updatedAt: ({ updatedAt }) => updatedAt.getTime(),
};

/** The input is sorted by name. Equal entries stay in the order of row ids, in the direction of the sort. */
function sorted(bindings: readonly DatasetEvaluator[], sort: ListArguments['sort']): readonly DatasetEvaluator[] {
  if (!sort) return bindings;
  const sign = sort.dir === 'asc' ? 1 : -1;
  const read = VALUES[sort.col];
  return bindings.toSorted((a, b) => {
    const [x, y] = [read(a), read(b)];
    return sign * (x < y ? -1 : x > y ? 1 : a.rowId - b.rowId);
  });
}
