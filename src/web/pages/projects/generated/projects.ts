// Made by scripts/generate-web-types.mjs from ../projects.graphql.

import type { Operation } from '../../../data/operation.ts';

export type ProjectListData = { readonly projects: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string; readonly description: string | null; readonly gradientStartColor: string; readonly gradientEndColor: string; readonly hasTraces: boolean; readonly endTime: string | null; readonly traceCount: number; readonly recordCount: number; readonly p50: number | null } })[] } };

export type ProjectListVariables = { readonly first: number; readonly after?: string | null; readonly sort?: { readonly col: 'name' | 'endTime'; readonly dir: 'asc' | 'desc' } | null; readonly filter?: { readonly col: 'name'; readonly value: string } | null; readonly timeRange?: { readonly start?: string | null; readonly end?: string | null } | null };

export const projectList: Operation<ProjectListData, ProjectListVariables> = {
  name: 'projectList',
  text: "query projectList($first:Int!$after:String$sort:ProjectSort$filter:ProjectFilter$timeRange:TimeRange){projects(first:$first after:$after sort:$sort filter:$filter){pageInfo{hasNextPage endCursor}edges{node{id name description gradientStartColor gradientEndColor hasTraces endTime traceCount(timeRange:$timeRange)recordCount(timeRange:$timeRange)p50:latencyMsQuantile(probability:0.5 timeRange:$timeRange)}}}}",
};

export type CreateProjectData = { readonly createProject: { readonly project: { readonly id: string; readonly name: string } } };

export type CreateProjectVariables = { readonly input: { readonly name: string; readonly description?: string | null; readonly gradientStartColor?: string | null; readonly gradientEndColor?: string | null; readonly isPrivate?: boolean | null } };

export const createProject: Operation<CreateProjectData, CreateProjectVariables> = {
  name: 'createProject',
  text: "mutation createProject($input:CreateProjectInput!){createProject(input:$input){project{id name}}}",
  access: 'member',
};

export type PatchProjectData = { readonly patchProject: { readonly project: { readonly id: string } } };

export type PatchProjectVariables = { readonly input: { readonly id: string; readonly description?: string | null; readonly gradientStartColor?: string | null; readonly gradientEndColor?: string | null } };

export const patchProject: Operation<PatchProjectData, PatchProjectVariables> = {
  name: 'patchProject',
  text: "mutation patchProject($input:PatchProjectInput!){patchProject(input:$input){project{id}}}",
  access: 'member',
};

export type DeleteProjectData = { readonly deleteProject: { readonly __typename: 'Query' } };

export type DeleteProjectVariables = { readonly id: string };

export const deleteProject: Operation<DeleteProjectData, DeleteProjectVariables> = {
  name: 'deleteProject',
  text: "mutation deleteProject($id:ID!){deleteProject(id:$id){__typename}}",
  access: 'member',
};

export type ClearProjectData = { readonly clearProject: { readonly __typename: 'Query' } };

export type ClearProjectVariables = { readonly input: { readonly id: string; readonly endTime?: string | null } };

export const clearProject: Operation<ClearProjectData, ClearProjectVariables> = {
  name: 'clearProject',
  text: "mutation clearProject($input:ClearProjectInput!){clearProject(input:$input){__typename}}",
  access: 'member',
};
