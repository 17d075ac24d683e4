import type { Caller } from '../../model/access/caller.ts';
import type { AuthorizationOperations } from '../../domain/authorization/authorization-operations.ts';
import type { PublicAddress } from '../../server/guards/base-url.ts';

export interface AuthorizationOptions extends PublicAddress {
  /** Operations for a client with this address. */
  readonly authorizationFor: (remoteAddress: string, caller?: Caller) => AuthorizationOperations;
  readonly allowsRegistration: boolean;
  /** Whether consent is accepted only from a page of this server. */
  readonly checksOrigin: boolean;
}
