// Made by scripts/generate-web-types.mjs from ../viewer.graphql.

import type { Operation } from '../../data/operation.ts';

export type ViewerData = { readonly viewer: { readonly id: string; readonly username: string; readonly email: string | null; readonly authMethod: 'LOCAL' | 'OAUTH2' | 'LDAP'; readonly passwordNeedsReset: boolean; readonly role: { readonly name: string } } | null };

export type ViewerVariables = Record<string, never>;

export const viewer: Operation<ViewerData, ViewerVariables> = {
  name: 'viewer',
  text: "query viewer{viewer{id username email authMethod passwordNeedsReset role{name}}}",
};
