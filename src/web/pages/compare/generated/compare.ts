// Made by scripts/generate-web-types.mjs from ../compare.graphql.

import type { Operation } from '../../../data/operation.ts';

export type CompareSidesData = { readonly sides: readonly ({ readonly __typename: 'Span'; readonly id: string; readonly name: string; readonly context: { readonly traceId: string }; readonly project: { readonly id: string; readonly name: string } } | { readonly __typename: 'Trace'; readonly id: string; readonly traceId: string; readonly startTime: string; readonly latencyMs: number | null; readonly numSpans: number; readonly errorCount: number; readonly project: { readonly id: string; readonly name: string }; readonly costSummary: { readonly total: { readonly cost: number | null } }; readonly skeleton: { readonly startTime: string | null; readonly rowIds: readonly number[]; readonly parents: readonly number[]; readonly names: readonly (string)[]; readonly nameIndices: readonly number[]; readonly spanKinds: readonly ('chain' | 'tool' | 'llm' | 'prompt' | 'retriever' | 'embedding' | 'agent' | 'reranker' | 'evaluator' | 'guardrail' | 'unknown')[]; readonly spanKindIndices: readonly number[]; readonly errors: readonly number[]; readonly offsetsMs: readonly number[]; readonly latenciesMs: readonly number[]; readonly tokenCounts: readonly number[]; readonly cumulativeTokenCounts: readonly number[] } } | { readonly __typename: 'another' })[] };

export type CompareSidesVariables = { readonly ids: readonly (string)[] };

export const compareSides: Operation<CompareSidesData, CompareSidesVariables> = {
  name: 'compareSides',
  text: "query compareSides($ids:[ID!]!){sides:nodes(ids:$ids){__typename ...on Trace{id traceId startTime latencyMs numSpans errorCount project{id name}costSummary{total{cost}}skeleton{startTime rowIds parents names nameIndices spanKinds spanKindIndices errors offsetsMs latenciesMs tokenCounts cumulativeTokenCounts}}...on Span{id name context{traceId}project{id name}}}}",
};
