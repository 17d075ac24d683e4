import { bindToPorts } from '../bind-to-ports.ts';
import type { AuthorizationParts } from './authorization-ports.ts';
import { beginAuthorization } from './begin-authorization.ts';
import { decideAuthorization, readConsent } from './decide-authorization.ts';
import { exchangeCode, refreshGrant } from './issue-tokens.ts';
import { registerClient } from './register-client.ts';
import { revokeGrant, revokeToken } from './revoke-grants.ts';

/** Operations of the authorization server, which gives applications access to the accounts of users. */
export const createAuthorizationOperations = (ports: AuthorizationParts) => ({
  listGrants: ports.oauth2Grants.list,
  findGrants: ports.oauth2Grants.findByRowIds,
  findGrantsOfUsers: ports.oauth2Grants.findOfUsers,
  ...bindToPorts(ports, {
    registerClient,
    begin: beginAuthorization,
    readConsent,
    decide: decideAuthorization,
    exchangeCode,
    refresh: refreshGrant,
    revokeGrant,
    revokeToken,
  }),
});

export type AuthorizationOperations = ReturnType<typeof createAuthorizationOperations>;
