import { ERROR_CODE_HEADER, SpandrelError } from '../../model/errors.ts';
import { OAuthError, type OAuthErrorCode } from '../../domain/authorization/oauth-error.ts';
import type { HttpRequest, HttpResponse } from '../../server/route.ts';

/** JSON that no cache may keep, because it contains tokens or what one user may see. */
export const privateJson = (status: number, body: unknown): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', pragma: 'no-cache' },
  body: JSON.stringify(body),
});

/** Converts the errors that applications receive. Others, such as an exceeded limit, have the usual form. */
export async function respondWithErrors(
  request: Pick<HttpRequest, 'header'>,
  work: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OAuthError) return rejection(request, error.oauthCode, error.message);
    if (error instanceof SpandrelError && error.code === 'REQUEST_INVALID') {
      return rejection(request, 'invalid_request', error.message);
    }
    throw error;
  }
}

function rejection({ header }: Pick<HttpRequest, 'header'>, error: OAuthErrorCode, description: string): HttpResponse {
  // RFC 6749, section 5.2: an application that sent the header learns which scheme it has used in vain.
  const usedHeader = error === 'invalid_client' && header('authorization') !== undefined;
  const response = privateJson(usedHeader ? 401 : 400, { error, error_description: description });
  const headers = { ...response.headers, [ERROR_CODE_HEADER]: 'OAUTH2_REQUEST_INVALID' };
  return { ...response, headers: usedHeader ? { ...headers, 'www-authenticate': 'Basic realm="Spandrel"' } : headers };
}
