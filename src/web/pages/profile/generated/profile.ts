// Made by scripts/generate-web-types.mjs from ../profile.graphql.

import type { Operation } from '../../../data/operation.ts';

export type ProfileData = { readonly viewer: { readonly id: string; readonly apiKeys: readonly ({ readonly id: string; readonly name: string; readonly description: string | null; readonly createdAt: string; readonly expiresAt: string | null; readonly lastCharacters: string; readonly lastUsedAt: string | null; readonly scope: 'ALL' | 'READ' | 'SEND' | 'SCIM'; readonly projects: readonly (string)[] | null })[]; readonly oauth2Grants: readonly ({ readonly id: string; readonly clientName: string; readonly clientId: string; readonly isFirstParty: boolean; readonly scopes: readonly (string)[]; readonly resource: 'SERVER' | 'MCP'; readonly createdAt: string; readonly expiresAt: string | null; readonly lastUsedAt: string | null })[]; readonly linkedIdentities: readonly ({ readonly id: string; readonly provider: string; readonly issuer: string; readonly email: string; readonly createdAt: string })[]; readonly sessions: readonly ({ readonly id: string; readonly createdAt: string; readonly lastUsedAt: string; readonly remoteAddress: string | null; readonly userAgent: string | null; readonly isCurrent: boolean })[] } | null };

export type ProfileVariables = Record<string, never>;

export const profile: Operation<ProfileData, ProfileVariables> = {
  name: 'profile',
  text: "query profile{viewer{id apiKeys{...userKey}oauth2Grants{...app}linkedIdentities{id provider issuer email createdAt}sessions{id createdAt lastUsedAt remoteAddress userAgent isCurrent}}}fragment userKey on UserApiKey{id name description createdAt expiresAt lastCharacters lastUsedAt scope projects}fragment app on OAuth2Grant{id clientName clientId isFirstParty scopes resource createdAt expiresAt lastUsedAt}",
};

export type RenameViewerData = { readonly patchViewer: { readonly __typename: 'UserMutationPayload' } };

export type RenameViewerVariables = { readonly newUsername: string };

export const renameViewer: Operation<RenameViewerData, RenameViewerVariables> = {
  name: 'renameViewer',
  text: "mutation renameViewer($newUsername:String!){patchViewer(input:{newUsername:$newUsername}){__typename}}",
  access: 'person',
};

export type ChangePasswordData = { readonly patchViewer: { readonly __typename: 'UserMutationPayload' } };

export type ChangePasswordVariables = { readonly newPassword: string; readonly currentPassword: string };

export const changePassword: Operation<ChangePasswordData, ChangePasswordVariables> = {
  name: 'changePassword',
  text: "mutation changePassword($newPassword:String!$currentPassword:String!){patchViewer(input:{newPassword:$newPassword currentPassword:$currentPassword}){__typename}}",
  access: 'person',
};

export type EndSessionData = { readonly endUserSession: { readonly __typename: 'EndUserSessionPayload' } };

export type EndSessionVariables = { readonly id: string };

export const endSession: Operation<EndSessionData, EndSessionVariables> = {
  name: 'endSession',
  text: "mutation endSession($id:ID!){endUserSession(id:$id){__typename}}",
  access: 'person',
};

export type UnlinkIdentityData = { readonly unlinkIdentity: { readonly __typename: 'UnlinkIdentityPayload' } };

export type UnlinkIdentityVariables = { readonly id: string };

export const unlinkIdentity: Operation<UnlinkIdentityData, UnlinkIdentityVariables> = {
  name: 'unlinkIdentity',
  text: "mutation unlinkIdentity($id:ID!){unlinkIdentity(id:$id){__typename}}",
  access: 'person',
};
