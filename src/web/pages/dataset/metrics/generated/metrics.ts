// Made by scripts/generate-web-types.mjs from ../metrics.graphql.

import type { Operation } from '../../../../data/operation.ts';

export type DatasetMetricsData = { readonly node: { readonly __typename: 'Dataset'; readonly experiments: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string; readonly sequenceNumber: number; readonly isBaseline: boolean; readonly errorRate: number | null; readonly averageRunLatencyMs: number | null; readonly annotationSummaries: readonly ({ readonly annotationName: string; readonly meanScore: number | null })[] } })[] } } | { readonly __typename: 'another' } };

export type DatasetMetricsVariables = { readonly id: string; readonly first: number };

export const datasetMetrics: Operation<DatasetMetricsData, DatasetMetricsVariables> = {
  name: 'datasetMetrics',
  text: "query datasetMetrics($id:ID!$first:Int!){node(id:$id){__typename ...on Dataset{experiments(first:$first){edges{node{id name sequenceNumber isBaseline errorRate averageRunLatencyMs annotationSummaries{annotationName meanScore}}}}}}}",
};

export type DatasetMetricsCostsData = { readonly node: { readonly __typename: 'Dataset'; readonly experiments: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly costSummary: { readonly total: { readonly tokens: number | null; readonly cost: number | null }; readonly prompt: { readonly tokens: number | null; readonly cost: number | null }; readonly completion: { readonly tokens: number | null; readonly cost: number | null } } } })[] } } | { readonly __typename: 'another' } };

export type DatasetMetricsCostsVariables = { readonly id: string; readonly first: number };

export const datasetMetricsCosts: Operation<DatasetMetricsCostsData, DatasetMetricsCostsVariables> = {
  name: 'datasetMetricsCosts',
  text: "query datasetMetricsCosts($id:ID!$first:Int!){node(id:$id){__typename ...on Dataset{experiments(first:$first){edges{node{id costSummary{...ExperimentCost}}}}}}}fragment ExperimentCost on SpanCostSummary{total{tokens cost}prompt{tokens cost}completion{tokens cost}}",
};
