import { SpandrelError } from '../../model/errors.ts';

/** Error codes of RFC 6749, 7009, 7591 and 8707. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata';

/** An error that an application receives. The message is its `error_description`. */
export class OAuthError extends SpandrelError {
  readonly oauthCode: OAuthErrorCode;
  constructor(oauthCode: OAuthErrorCode, message: string) {
    super('OAUTH2_REQUEST_INVALID', message);
    this.oauthCode = oauthCode;
  }
}
