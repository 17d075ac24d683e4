import { JUDGE_TEMPLATES } from '../../../domain/evaluators/judge-templates.ts';
import type { PageArguments } from '../arguments.ts';
import { offsetConnection } from '../connections.ts';
import type { GraphqlContext } from '../context.ts';
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
  classificationEvaluatorConfigs: (_source, { labels }: { readonly labels?: readonly string[] | null }) =>
    JUDGE_TEMPLATES.filter((one) => !labels || one.labels.some((label) => labels.includes(label))).map(
      ({ template, ...rest }) => ({ ...rest, messages: toMessages(template) }),
    ),
  evaluatorCount: (_source, _args, { domain }: GraphqlContext) => domain.evaluators.count(),
};
