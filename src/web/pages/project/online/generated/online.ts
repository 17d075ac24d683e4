// Made by scripts/generate-web-types.mjs from ../online.graphql.

import type { Operation } from '../../../../data/operation.ts';

export type OnlineEvaluatorsData = { readonly node: { readonly __typename: 'Project'; readonly onlineEvaluators: readonly ({ readonly id: string; readonly name: string; readonly description: string | null; readonly target: 'SPAN' | 'TRACE' | 'SESSION'; readonly filter: string; readonly samplingRate: number; readonly quietSeconds: number; readonly dailyCallCountMax: number | null; readonly dailyCostMax: number | null; readonly isEnabled: boolean; readonly revision: number; readonly waitingCount: number; readonly inputMapping: { readonly literalMapping: unknown; readonly pathMapping: unknown }; readonly evaluator: { readonly __typename: 'CodeEvaluator'; readonly id: string; readonly name: string; readonly datasetEvaluators: readonly ({ readonly id: string; readonly dataset: { readonly id: string } })[] } | { readonly __typename: 'LLMEvaluator'; readonly id: string; readonly name: string; readonly datasetEvaluators: readonly ({ readonly id: string; readonly dataset: { readonly id: string } })[] } | { readonly __typename: 'BuiltInEvaluator'; readonly id: string; readonly name: string; readonly datasetEvaluators: readonly ({ readonly id: string; readonly dataset: { readonly id: string } })[] }; readonly traceProject: { readonly id: string }; readonly days: readonly ({ readonly day: string; readonly doneCount: number; readonly sampledOutCount: number; readonly overBudgetCount: number; readonly failedCount: number; readonly callCount: number })[]; readonly backfills: readonly ({ readonly state: 'RUNNING' | 'DONE' | 'STOPPED'; readonly targetCount: number; readonly settledCount: number; readonly failedCount: number; readonly overBudgetCount: number; readonly isSelecting: boolean; readonly remainingSeconds: number | null; readonly endedAt: string | null })[] })[] } | { readonly __typename: 'another' } };

export type OnlineEvaluatorsVariables = { readonly id: string };

export const onlineEvaluators: Operation<OnlineEvaluatorsData, OnlineEvaluatorsVariables> = {
  name: 'onlineEvaluators',
  text: "query onlineEvaluators($id:ID!){node(id:$id){__typename ...on Project{onlineEvaluators{id name description target filter samplingRate quietSeconds dailyCallCountMax dailyCostMax isEnabled revision waitingCount inputMapping{literalMapping pathMapping}evaluator{__typename id name datasetEvaluators{id dataset{id}}}traceProject{id}days(first:14){day doneCount sampledOutCount overBudgetCount failedCount callCount}backfills{state targetCount settledCount failedCount overBudgetCount isSelecting remainingSeconds endedAt}}}}}",
};

export type OnlineFailuresData = { readonly onlineEvaluator: { readonly items: readonly ({ readonly targetId: string; readonly traceId: string; readonly error: string | null; readonly attemptCount: number; readonly changedAt: string })[] } | null };

export type OnlineFailuresVariables = { readonly id: string };

export const onlineFailures: Operation<OnlineFailuresData, OnlineFailuresVariables> = {
  name: 'onlineFailures',
  text: "query onlineFailures($id:ID!){onlineEvaluator(id:$id){items(state:FAILED first:20){targetId traceId error attemptCount changedAt}}}",
};

export type EvaluatorChoicesData = { readonly evaluators: { readonly edges: readonly ({ readonly node: { readonly __typename: 'CodeEvaluator'; readonly id: string; readonly name: string; readonly description: string | null; readonly datasetEvaluators: readonly ({ readonly inputMapping: { readonly literalMapping: unknown; readonly pathMapping: unknown } })[] } | { readonly __typename: 'LLMEvaluator'; readonly id: string; readonly name: string; readonly description: string | null; readonly datasetEvaluators: readonly ({ readonly inputMapping: { readonly literalMapping: unknown; readonly pathMapping: unknown } })[] } | { readonly __typename: 'BuiltInEvaluator'; readonly id: string; readonly name: string; readonly description: string | null; readonly datasetEvaluators: readonly ({ readonly inputMapping: { readonly literalMapping: unknown; readonly pathMapping: unknown } })[] } })[] }; readonly builtInEvaluators: readonly ({ readonly id: string; readonly name: string; readonly description: string | null; readonly inputSchema: unknown | null })[] };

export type EvaluatorChoicesVariables = Record<string, never>;

export const evaluatorChoices: Operation<EvaluatorChoicesData, EvaluatorChoicesVariables> = {
  name: 'evaluatorChoices',
  text: "query evaluatorChoices{evaluators(first:200){edges{node{__typename id name description datasetEvaluators{inputMapping{literalMapping pathMapping}}}}}builtInEvaluators{id name description inputSchema}}",
};

export type OnlineBackfillEstimateData = { readonly onlineBackfillEstimate: { readonly matchedCount: number; readonly evaluationCount: number; readonly callCount: number | null; readonly tokenCount: number | null; readonly cost: number | null; readonly withinBudgetCount: number | null; readonly dayCount: number | null; readonly durationSeconds: number | null } };

export type OnlineBackfillEstimateVariables = { readonly input: { readonly id: string; readonly startTime?: string | null; readonly endTime?: string | null } };

export const onlineBackfillEstimate: Operation<OnlineBackfillEstimateData, OnlineBackfillEstimateVariables> = {
  name: 'onlineBackfillEstimate',
  text: "query onlineBackfillEstimate($input:OnlineBackfillInput!){onlineBackfillEstimate(input:$input){matchedCount evaluationCount callCount tokenCount cost withinBudgetCount dayCount durationSeconds}}",
};

export type CreateOnlineEvaluatorData = { readonly createOnlineEvaluator: { readonly id: string } };

export type CreateOnlineEvaluatorVariables = { readonly input: { readonly projectId: string; readonly evaluatorId: string; readonly name: string; readonly description?: string | null; readonly target?: 'SPAN' | 'TRACE' | 'SESSION'; readonly filter?: string; readonly inputMapping?: { readonly literalMapping: unknown; readonly pathMapping: unknown } | null; readonly samplingRate?: number; readonly quietSeconds?: number; readonly dailyCallCountMax?: number | null; readonly dailyCostMax?: number | null; readonly isEnabled?: boolean } };

export const createOnlineEvaluator: Operation<CreateOnlineEvaluatorData, CreateOnlineEvaluatorVariables> = {
  name: 'createOnlineEvaluator',
  text: "mutation createOnlineEvaluator($input:CreateOnlineEvaluatorInput!){createOnlineEvaluator(input:$input){id}}",
  access: 'member',
};

export type PatchOnlineEvaluatorData = { readonly patchOnlineEvaluator: { readonly id: string } };

export type PatchOnlineEvaluatorVariables = { readonly input: { readonly id: string; readonly name?: string | null; readonly description?: string | null; readonly filter?: string | null; readonly inputMapping?: { readonly literalMapping: unknown; readonly pathMapping: unknown } | null; readonly samplingRate?: number | null; readonly quietSeconds?: number | null; readonly dailyCallCountMax?: number | null; readonly dailyCostMax?: number | null; readonly isEnabled?: boolean | null } };

export const patchOnlineEvaluator: Operation<PatchOnlineEvaluatorData, PatchOnlineEvaluatorVariables> = {
  name: 'patchOnlineEvaluator',
  text: "mutation patchOnlineEvaluator($input:PatchOnlineEvaluatorInput!){patchOnlineEvaluator(input:$input){id}}",
  access: 'member',
};

export type DeleteOnlineEvaluatorData = { readonly deleteOnlineEvaluator: { readonly id: string } };

export type DeleteOnlineEvaluatorVariables = { readonly id: string };

export const deleteOnlineEvaluator: Operation<DeleteOnlineEvaluatorData, DeleteOnlineEvaluatorVariables> = {
  name: 'deleteOnlineEvaluator',
  text: "mutation deleteOnlineEvaluator($id:ID!){deleteOnlineEvaluator(id:$id){id}}",
  access: 'member',
};

export type StartOnlineBackfillData = { readonly startOnlineBackfill: { readonly id: string } };

export type StartOnlineBackfillVariables = { readonly input: { readonly id: string; readonly startTime?: string | null; readonly endTime?: string | null } };

export const startOnlineBackfill: Operation<StartOnlineBackfillData, StartOnlineBackfillVariables> = {
  name: 'startOnlineBackfill',
  text: "mutation startOnlineBackfill($input:OnlineBackfillInput!){startOnlineBackfill(input:$input){id}}",
  access: 'member',
};

export type StopOnlineBackfillData = { readonly stopOnlineBackfill: { readonly id: string } };

export type StopOnlineBackfillVariables = { readonly id: string };

export const stopOnlineBackfill: Operation<StopOnlineBackfillData, StopOnlineBackfillVariables> = {
  name: 'stopOnlineBackfill',
  text: "mutation stopOnlineBackfill($id:ID!){stopOnlineBackfill(id:$id){id}}",
  access: 'member',
};

export type RetryOnlineItemsData = { readonly retryOnlineItems: { readonly id: string } };

export type RetryOnlineItemsVariables = { readonly id: string };

export const retryOnlineItems: Operation<RetryOnlineItemsData, RetryOnlineItemsVariables> = {
  name: 'retryOnlineItems',
  text: "mutation retryOnlineItems($id:ID!){retryOnlineItems(id:$id){id}}",
  access: 'member',
};
