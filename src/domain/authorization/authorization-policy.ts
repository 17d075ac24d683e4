import { SpandrelError } from '../../model/errors.ts';

/** Settings of the authorization server. */
export interface AuthorizationPolicy {
  /** `local_only`: only applications on the machine of the user register. */
  readonly registration: 'enabled' | 'local_only' | 'disabled';
  /** Hosts of sites to which codes may be sent. Empty: any host. */
  readonly allowedRedirectHosts: readonly string[];
  /** Life of a grant. */
  readonly grantMs: number;
}

/** @throws {SpandrelError} `SIGN_IN_OFF` */
export function policyOf({
  authorization,
}: {
  readonly authorization: AuthorizationPolicy | undefined;
}): AuthorizationPolicy {
  if (authorization) return authorization;
  throw new SpandrelError('SIGN_IN_OFF', 'This server gives applications no access');
}
