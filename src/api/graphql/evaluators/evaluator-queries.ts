import { SpandrelError } from '../../../model/errors.ts';
import type { CodeLanguage } from '../../../model/evaluators/sandbox-config.ts';
import { checkJsonObject } from '../../../domain/datasets/json-object.ts';
import { checkMapping } from '../../../domain/evaluators/input-mapping.ts';
import type { PageArguments } from '../arguments.ts';
import { offsetConnection } from '../connections.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode } from '../node.ts';
import { toMessages } from '../prompts/prompt-content.ts';
import { builtInEvaluatorRef, type Resolvers } from '../resolvers.ts';
import { toEvaluatorRef } from './dataset-evaluator.ts';

interface EvaluatorsArguments extends PageArguments {
  readonly sort?: {
    readonly col: 'name' | 'kind' | 'createdAt' | 'updatedAt';
    readonly dir: 'asc' | 'desc';
  } | null;
  readonly filter?: { readonly value: string } | null;
}

interface InputPreviewArguments {
  readonly exampleId?: string | null;
  readonly context?: unknown;
  readonly inputMapping: MappingInput;
}

interface MappingInput {
  readonly pathMapping: unknown;
  readonly literalMapping: unknown;
}

export const evaluatorQueries: Resolvers = {
  async builtInEvaluators(_source, _args, { domain, items }: GraphqlContext) {
    const rowIds = await domain.evaluators.listBuiltInIds();
    items.take(rowIds.length);
    return rowIds.map(builtInEvaluatorRef);
  },
  async evaluators(_source, args: EvaluatorsArguments, { domain, items }: GraphqlContext) {
    const refs = await domain.evaluators.findRefs({
      nameContains: args.filter?.value,
      sort: args.sort ?? { col: 'name', dir: 'asc' },
    });
    return offsetConnection(refs, args, toEvaluatorRef, items);
  },
  async classificationEvaluatorConfigs(
    _source,
    { labels }: { readonly labels?: readonly string[] | null },
    { domain }: GraphqlContext,
  ) {
    const templates = await domain.evaluators.listJudgeTemplates(labels ?? undefined);
    return templates.map(({ template, ...rest }) => ({ ...rest, messages: toMessages(template) }));
  },
  evaluatorInputPreview(
    _source,
    { exampleId, context, inputMapping }: InputPreviewArguments,
    { domain: { evaluators } }: GraphqlContext,
  ) {
    const mapping = checkMapping(inputMapping);
    const hasExample = exampleId !== undefined && exampleId !== null;
    if (hasExample === (context !== undefined && context !== null)) {
      throw new SpandrelError('QUERY_INVALID', 'Pass either exampleId or context');
    }
    const source = hasExample
      ? { exampleRowId: rowIdOfNode('DatasetExample', exampleId) }
      : { context: checkJsonObject('context', context) };
    return evaluators.previewInputs(source, mapping);
  },
  async codeEvaluatorInputs(
    _source,
    { language, sourceCode }: { readonly language: CodeLanguage; readonly sourceCode: string },
    { domain }: GraphqlContext,
  ) {
    const signature = await domain.evaluators.readCodeInputs(language, sourceCode);
    return signature.ok ? { ...signature, problem: null } : { ...signature, inputSchema: null };
  },
  evaluatorCount: (_source, _args, { domain }: GraphqlContext) => domain.evaluators.count(),
};
