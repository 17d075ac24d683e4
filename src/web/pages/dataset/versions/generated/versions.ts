// Made by scripts/generate-web-types.mjs from ../versions.graphql.

import type { Operation } from '../../../../data/operation.ts';

export type DatasetVersionsData = { readonly node: { readonly __typename: 'Dataset'; readonly versions: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly id: string; readonly description: string | null; readonly createdAt: string; readonly exampleCount: number; readonly user: { readonly username: string } | null } })[] } } | { readonly __typename: 'another' } };

export type DatasetVersionsVariables = { readonly id: string; readonly after?: string | null };

export const datasetVersions: Operation<DatasetVersionsData, DatasetVersionsVariables> = {
  name: 'datasetVersions',
  text: "query datasetVersions($id:ID!$after:String){node(id:$id){__typename ...on Dataset{versions(first:100 after:$after){pageInfo{hasNextPage endCursor}edges{node{id description createdAt exampleCount user{username}}}}}}}",
};

export type VersionDiffData = { readonly node: { readonly __typename: 'Dataset'; readonly versionDiff: { readonly added: number; readonly changed: number; readonly removed: number; readonly unchanged: number } } | { readonly __typename: 'another' } };

export type VersionDiffVariables = { readonly id: string; readonly base: string; readonly version: string };

export const versionDiff: Operation<VersionDiffData, VersionDiffVariables> = {
  name: 'versionDiff',
  text: "query versionDiff($id:ID!$base:ID!$version:ID!){node(id:$id){__typename ...on Dataset{versionDiff(baseVersionId:$base versionId:$version){added changed removed unchanged}}}}",
};

export type VersionChangesData = { readonly node: { readonly __typename: 'Dataset'; readonly versionDiff: { readonly changes: { readonly next: string | null; readonly rows: readonly ({ readonly kind: 'added' | 'changed' | 'removed'; readonly fields: readonly (string)[]; readonly example: { readonly id: string; readonly externalId: string | null } })[] } } } | { readonly __typename: 'another' } };

export type VersionChangesVariables = { readonly id: string; readonly base: string; readonly version: string; readonly kinds?: readonly ('added' | 'changed' | 'removed')[] | null; readonly after?: string | null };

export const versionChanges: Operation<VersionChangesData, VersionChangesVariables> = {
  name: 'versionChanges',
  text: "query versionChanges($id:ID!$base:ID!$version:ID!$kinds:[ExampleChangeKind!]$after:String){node(id:$id){__typename ...on Dataset{versionDiff(baseVersionId:$base versionId:$version){changes(first:50 after:$after kinds:$kinds){next rows{kind fields example{id externalId}}}}}}}",
};

export type ChangedExampleData = { readonly node: { readonly __typename: 'DatasetExample'; readonly before: { readonly input: string; readonly output: string; readonly metadata: string } | null; readonly after: { readonly input: string; readonly output: string; readonly metadata: string } | null } | { readonly __typename: 'another' } };

export type ChangedExampleVariables = { readonly id: string; readonly base: string; readonly version: string };

export const changedExample: Operation<ChangedExampleData, ChangedExampleVariables> = {
  name: 'changedExample',
  text: "query changedExample($id:ID!$base:ID!$version:ID!){node(id:$id){__typename ...on DatasetExample{before:content(datasetVersionId:$base){input output metadata}after:content(datasetVersionId:$version){input output metadata}}}}",
};

export type RestoreVersionData = { readonly restoreDatasetVersion: { readonly version: { readonly id: string } } };

export type RestoreVersionVariables = { readonly input: { readonly datasetId: string; readonly datasetVersionId: string; readonly versionDescription?: string | null } };

export const restoreVersion: Operation<RestoreVersionData, RestoreVersionVariables> = {
  name: 'restoreVersion',
  text: "mutation restoreVersion($input:RestoreDatasetVersionInput!){restoreDatasetVersion(input:$input){version{id}}}",
  access: 'member',
};
