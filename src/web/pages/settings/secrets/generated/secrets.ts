// Made by scripts/generate-web-types.mjs from ../secrets.graphql.

import type { Operation } from '../../../../data/operation.ts';

export type SettingsSecretsData = { readonly secrets: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly id: string; readonly key: string; readonly hosts: readonly (string)[] | null; readonly keyId: string | null; readonly hasCurrentKey: boolean; readonly updatedAt: string; readonly value: { readonly __typename: 'DecryptedSecret' } | { readonly __typename: 'UnparsableSecret' }; readonly user: { readonly id: string; readonly username: string } | null } })[] } };

export type SettingsSecretsVariables = { readonly after?: string | null };

export const settingsSecrets: Operation<SettingsSecretsData, SettingsSecretsVariables> = {
  name: 'settingsSecrets',
  text: "query settingsSecrets($after:String){secrets(first:200 after:$after){pageInfo{hasNextPage endCursor}edges{node{id key hosts keyId hasCurrentKey updatedAt value{__typename}user{id username}}}}}",
};

export type ChangeSecretsData = { readonly upsertOrDeleteSecrets: { readonly deletedIds: readonly (string)[] } };

export type ChangeSecretsVariables = { readonly secrets: readonly ({ readonly key: string; readonly value?: string | null; readonly hosts?: readonly (string)[] | null })[] };

export const changeSecrets: Operation<ChangeSecretsData, ChangeSecretsVariables> = {
  name: 'changeSecrets',
  text: "mutation changeSecrets($secrets:[SecretKeyValueInput!]!){upsertOrDeleteSecrets(input:{secrets:$secrets}){deletedIds}}",
  access: 'admin',
};
