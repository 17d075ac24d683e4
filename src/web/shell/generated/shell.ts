// Made by scripts/generate-web-types.mjs from ../shell.graphql.

import type { Operation } from '../../data/operation.ts';

export type StorageStateData = { readonly serverStatus: { readonly insufficientStorage: boolean } };

export type StorageStateVariables = Record<string, never>;

export const storageState: Operation<StorageStateData, StorageStateVariables> = {
  name: 'storageState',
  text: "query storageState{serverStatus{insufficientStorage}}",
};

export type PaletteProjectsData = { readonly projects: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string } })[] } };

export type PaletteProjectsVariables = { readonly name: string };

export const paletteProjects: Operation<PaletteProjectsData, PaletteProjectsVariables> = {
  name: 'paletteProjects',
  text: "query paletteProjects($name:String!){projects(first:12 sort:{col:endTime dir:desc}filter:{col:name value:$name}){edges{node{id name}}}}",
};
