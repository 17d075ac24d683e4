// Made by scripts/generate-web-types.mjs from ../apps.graphql.

import type { Operation } from '../../../data/operation.ts';

export type RevokeAppData = { readonly revokeOAuth2Grant: { readonly __typename: 'RevokeOAuth2GrantMutationPayload' } };

export type RevokeAppVariables = { readonly id: string };

export const revokeApp: Operation<RevokeAppData, RevokeAppVariables> = {
  name: 'revokeApp',
  text: "mutation revokeApp($id:ID!){revokeOAuth2Grant(input:{id:$id}){__typename}}",
  access: 'person',
};
