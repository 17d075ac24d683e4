// Made by scripts/generate-web-types.mjs from ../sample.graphql.

import type { Operation } from '../../../data/operation.ts';

export type CreateSampleData = { readonly createSample: { readonly dataset: { readonly id: string }; readonly experiments: readonly ({ readonly id: string })[] } };

export type CreateSampleVariables = Record<string, never>;

export const createSample: Operation<CreateSampleData, CreateSampleVariables> = {
  name: 'createSample',
  text: "mutation createSample{createSample{dataset{id}experiments{id}}}",
  access: 'member',
};

export type DeleteSampleData = { readonly deleteSample: boolean };

export type DeleteSampleVariables = Record<string, never>;

export const deleteSample: Operation<DeleteSampleData, DeleteSampleVariables> = {
  name: 'deleteSample',
  text: "mutation deleteSample{deleteSample}",
  access: 'member',
};
