/** Texts for the codes of `?error=`, which the server sets when a sign-in with an identity provider fails. */
const ERROR_TEXTS: ReadonlyMap<string, string> = new Map([
  ['unknown_idp', 'This server does not know that identity provider. Choose one of the ways below.'],
  ['auth_failed', 'The identity provider did not confirm the sign-in. Try again.'],
  ['invalid_state', 'The sign-in took too long or was started in another window. Try again.'],
  [
    'unsafe_return_url',
    'The address to return to is not part of this server. Sign in again from the page that you need.',
  ],
  ['oauth_error', 'The identity provider reported an error. Try again, or ask an administrator to check its settings.'],
  [
    'no_oidc_support',
    'The identity provider does not support OpenID Connect. Ask an administrator to check its settings.',
  ],
  ['missing_email_scope', 'The identity provider did not send an email address. Ask an administrator to allow it.'],
  ['email_in_use', 'Another account has this email address. Sign in the way you did before, or ask an administrator.'],
  ['sign_in_not_allowed', 'Your account may not sign in to this server. Ask an administrator for access.'],
]);

/** Texts for the codes of `?message=`. */
const MESSAGE_TEXTS: ReadonlyMap<string, string> = new Map([
  ['password_reset', 'Your password has been changed. Sign in with the new one.'],
]);

const UNKNOWN_ERROR = 'The sign-in failed. Try again.';

/** Text for a code of the server. */
export const errorText = (code: string): string => ERROR_TEXTS.get(code) ?? UNKNOWN_ERROR;

/** Text for the error or message of an address. The codes themselves are never shown. */
export function noticeOf(search: string): { readonly isError: boolean; readonly text: string } | undefined {
  const parameters = new URLSearchParams(search);
  const error = parameters.get('error');
  if (error !== null) return { isError: true, text: errorText(error) };
  const text = MESSAGE_TEXTS.get(parameters.get('message') ?? '');
  return text === undefined ? undefined : { isError: false, text };
}
