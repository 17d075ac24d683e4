// Made by scripts/generate-web-types.mjs from ../list.graphql.

import type { Operation } from '../../../../data/operation.ts';

export type ListedRunsData = { readonly experiment: { readonly __typename: 'Experiment'; readonly averageRunLatencyMs: number | null; readonly runCount: number; readonly annotationSummaries: readonly ({ readonly annotationName: string; readonly meanScore: number | null })[]; readonly runs: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly id: string; readonly repetitionNumber: number; readonly output: unknown | null; readonly error: string | null; readonly latencyMs: number; readonly traceId: string | null; readonly trace: { readonly id: string; readonly project: { readonly id: string } } | null; readonly costSummary: { readonly total: { readonly tokens: number | null; readonly cost: number | null } }; readonly example: { readonly id: string; readonly externalId: string | null; readonly revision: { readonly input: unknown; readonly output: unknown } }; readonly annotations: { readonly edges: readonly ({ readonly node: { readonly name: string; readonly label: string | null; readonly score: number | null; readonly explanation: string | null; readonly annotatorKind: 'LLM' | 'HUMAN' | 'CODE' } })[] } } })[] } } | { readonly __typename: 'another' } };

export type ListedRunsVariables = { readonly id: string; readonly after?: string | null; readonly sort?: { readonly col: { readonly metric?: 'latencyMs' | null; readonly annotationName?: string | null }; readonly dir: 'asc' | 'desc' } | null };

export const listedRuns: Operation<ListedRunsData, ListedRunsVariables> = {
  name: 'listedRuns',
  text: "query listedRuns($id:ID!$after:String$sort:ExperimentRunSort){experiment:node(id:$id){__typename ...on Experiment{averageRunLatencyMs runCount annotationSummaries{annotationName meanScore}runs(first:50 after:$after sort:$sort){pageInfo{hasNextPage endCursor}edges{node{...listedRun}}}}}}fragment listedRun on ExperimentRun{...runResult example{id externalId revision{input output}}annotations(first:100){edges{node{name label score explanation annotatorKind}}}}fragment runResult on ExperimentRun{id repetitionNumber output error latencyMs traceId trace{id project{id}}costSummary{total{tokens cost}}}",
};
