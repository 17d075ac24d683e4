// Made by scripts/generate-web-types.mjs from ../row.graphql.

import type { Operation } from '../../../../data/operation.ts';

export type ComparedExampleData = { readonly viewer: { readonly id: string } | null; readonly example: { readonly __typename: 'DatasetExample'; readonly id: string; readonly externalId: string | null; readonly datasetSplits: readonly ({ readonly id: string; readonly name: string })[]; readonly revision: { readonly input: unknown; readonly output: unknown; readonly metadata: unknown }; readonly experimentRuns: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly repetitionNumber: number; readonly output: unknown | null; readonly error: string | null; readonly latencyMs: number; readonly traceId: string | null; readonly trace: { readonly id: string; readonly project: { readonly id: string } } | null; readonly costSummary: { readonly total: { readonly tokens: number | null; readonly cost: number | null } }; readonly experimentId: string; readonly isCached: boolean; readonly personAnnotations: readonly ({ readonly name: string; readonly score: number | null; readonly label: string | null; readonly explanation: string | null; readonly isMine: boolean; readonly author: string | null })[]; readonly annotations: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string; readonly annotatorKind: 'LLM' | 'HUMAN' | 'CODE'; readonly label: string | null; readonly score: number | null; readonly explanation: string | null; readonly error: string | null; readonly traceId: string | null; readonly trace: { readonly project: { readonly id: string } } | null } })[] } } })[] } } | { readonly __typename: 'another' } };

export type ComparedExampleVariables = { readonly id: string; readonly experimentIds: readonly (string)[] };

export const comparedExample: Operation<ComparedExampleData, ComparedExampleVariables> = {
  name: 'comparedExample',
  text: "query comparedExample($id:ID!$experimentIds:[ID!]!){viewer{id}example:node(id:$id){__typename ...on DatasetExample{id externalId datasetSplits{id name}revision{...comparedRevision}experimentRuns(first:400 experimentIds:$experimentIds){edges{node{...comparedRun}}}}}}fragment comparedRevision on DatasetExampleRevision{input output metadata}fragment comparedRun on ExperimentRun{...runResult experimentId isCached personAnnotations{...personAnnotation}annotations(first:200){edges{node{id name annotatorKind label score explanation error traceId trace{project{id}}}}}}fragment runResult on ExperimentRun{id repetitionNumber output error latencyMs traceId trace{id project{id}}costSummary{total{tokens cost}}}fragment personAnnotation on PersonRunAnnotation{name score label explanation isMine author}",
};

export type UsedRevisionData = { readonly run: { readonly __typename: 'ExperimentRun'; readonly example: { readonly revision: { readonly input: unknown; readonly output: unknown; readonly metadata: unknown } } } | { readonly __typename: 'another' } };

export type UsedRevisionVariables = { readonly runId: string };

export const usedRevision: Operation<UsedRevisionData, UsedRevisionVariables> = {
  name: 'usedRevision',
  text: "query usedRevision($runId:ID!){run:node(id:$runId){__typename ...on ExperimentRun{example{revision{...comparedRevision}}}}}fragment comparedRevision on DatasetExampleRevision{input output metadata}",
};
