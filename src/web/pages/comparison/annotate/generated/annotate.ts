// Made by scripts/generate-web-types.mjs from ../annotate.graphql.

import type { Operation } from '../../../../data/operation.ts';

export type DeleteExperimentRunPreferenceData = { readonly deleted: { readonly __typename: 'DeleteExperimentRunPreferencePayload' } };

export type DeleteExperimentRunPreferenceVariables = { readonly runIds: readonly (string)[] };

export const deleteExperimentRunPreference: Operation<DeleteExperimentRunPreferenceData, DeleteExperimentRunPreferenceVariables> = {
  name: 'deleteExperimentRunPreference',
  text: "mutation deleteExperimentRunPreference($runIds:[ID!]!){deleted:deleteExperimentRunPreference(runIds:$runIds){__typename}}",
  access: 'member',
};

export type PreferExperimentRunData = { readonly preferred: { readonly __typename: 'PreferExperimentRunPayload' } };

export type PreferExperimentRunVariables = { readonly input: { readonly runIds: readonly (string)[]; readonly preferredRunId?: string | null; readonly explanation?: string | null } };

export const preferExperimentRun: Operation<PreferExperimentRunData, PreferExperimentRunVariables> = {
  name: 'preferExperimentRun',
  text: "mutation preferExperimentRun($input:PreferExperimentRunInput!){preferred:preferExperimentRun(input:$input){__typename}}",
  access: 'member',
};
