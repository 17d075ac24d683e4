// Made by scripts/generate-web-types.mjs from ../access.graphql.

import type { Operation } from '../../../../data/operation.ts';

export type SettingsUsersData = { readonly users: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly id: string; readonly username: string; readonly email: string | null; readonly authMethod: 'LOCAL' | 'OAUTH2' | 'LDAP'; readonly createdAt: string; readonly apiKeyCount: number; readonly oauth2GrantCount: number; readonly passwordNeedsReset: boolean; readonly role: { readonly name: string } } })[] } };

export type SettingsUsersVariables = { readonly after?: string | null };

export const settingsUsers: Operation<SettingsUsersData, SettingsUsersVariables> = {
  name: 'settingsUsers',
  text: "query settingsUsers($after:String){users(first:200 after:$after){pageInfo{hasNextPage endCursor}edges{node{id username email authMethod createdAt apiKeyCount oauth2GrantCount passwordNeedsReset role{name}}}}}",
};

export type CreateUserData = { readonly createUser: { readonly __typename: 'UserMutationPayload' } };

export type CreateUserVariables = { readonly input: { readonly email: string; readonly username: string; readonly password?: string | null; readonly role: 'ADMIN' | 'MEMBER' | 'VIEWER'; readonly sendWelcomeEmail?: boolean | null; readonly authMethod?: 'LOCAL' | 'OAUTH2' | 'LDAP' | null } };

export const createUser: Operation<CreateUserData, CreateUserVariables> = {
  name: 'createUser',
  text: "mutation createUser($input:CreateUserInput!){createUser(input:$input){__typename}}",
  access: 'strictAdmin',
};

export type PatchUserData = { readonly patchUser: { readonly __typename: 'UserMutationPayload' } };

export type PatchUserVariables = { readonly input: { readonly userId: string; readonly newRole?: 'ADMIN' | 'MEMBER' | 'VIEWER' | null; readonly newUsername?: string | null; readonly newPassword?: string | null } };

export const patchUser: Operation<PatchUserData, PatchUserVariables> = {
  name: 'patchUser',
  text: "mutation patchUser($input:PatchUserInput!){patchUser(input:$input){__typename}}",
  access: 'strictAdmin',
};

export type DeleteUserData = { readonly deleteUsers: { readonly __typename: 'DeleteUsersPayload' } };

export type DeleteUserVariables = { readonly id: string };

export const deleteUser: Operation<DeleteUserData, DeleteUserVariables> = {
  name: 'deleteUser',
  text: "mutation deleteUser($id:ID!){deleteUsers(input:{userIds:[$id]}){__typename}}",
  access: 'strictAdmin',
};

export type SettingsKeysData = { readonly systemApiKeys: readonly ({ readonly id: string; readonly name: string; readonly description: string | null; readonly createdAt: string; readonly expiresAt: string | null; readonly lastCharacters: string; readonly lastUsedAt: string | null; readonly scope: 'ALL' | 'READ' | 'SEND' | 'SCIM'; readonly projects: readonly (string)[] | null })[]; readonly userApiKeys: readonly ({ readonly id: string; readonly name: string; readonly description: string | null; readonly createdAt: string; readonly expiresAt: string | null; readonly lastCharacters: string; readonly lastUsedAt: string | null; readonly scope: 'ALL' | 'READ' | 'SEND' | 'SCIM'; readonly projects: readonly (string)[] | null; readonly user: { readonly id: string; readonly username: string; readonly email: string | null } })[] };

export type SettingsKeysVariables = Record<string, never>;

export const settingsKeys: Operation<SettingsKeysData, SettingsKeysVariables> = {
  name: 'settingsKeys',
  text: "query settingsKeys{systemApiKeys{...systemKey}userApiKeys{...userKey user{id username email}}}fragment systemKey on SystemApiKey{id name description createdAt expiresAt lastCharacters lastUsedAt scope projects}fragment userKey on UserApiKey{id name description createdAt expiresAt lastCharacters lastUsedAt scope projects}",
};

export type SettingsAppsData = { readonly oauth2Grants: readonly ({ readonly id: string; readonly clientName: string; readonly clientId: string; readonly isFirstParty: boolean; readonly scopes: readonly (string)[]; readonly resource: 'SERVER' | 'MCP'; readonly createdAt: string; readonly expiresAt: string | null; readonly lastUsedAt: string | null; readonly user: { readonly id: string; readonly username: string; readonly email: string | null } })[] };

export type SettingsAppsVariables = Record<string, never>;

export const settingsApps: Operation<SettingsAppsData, SettingsAppsVariables> = {
  name: 'settingsApps',
  text: "query settingsApps{oauth2Grants{...app user{id username email}}}fragment app on OAuth2Grant{id clientName clientId isFirstParty scopes resource createdAt expiresAt lastUsedAt}",
};
