import { isAbsolute } from 'node:path';
import { isJmesPath } from '../../base/jmespath.ts';
import { parseUrl } from '../parse-url.ts';
import { bool, choice, type SettingKind, text } from '../setting-kinds.ts';
import { roleMapping } from './role-kinds.ts';

/** How the server proves to the provider that it is the client. */
export const CLIENT_AUTH_METHODS = [
  'client_secret_basic',
  'client_secret_post',
  'none',
  'client_assertion_jwt',
] as const;
export type ClientAuthMethod = (typeof CLIENT_AUTH_METHODS)[number];

const list = (separator: RegExp): SettingKind<readonly string[]> => ({
  name: 'list',
  parse: (value) => ({
    value: value
      .split(separator)
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  }),
});

const jmesPath: SettingKind<string> = {
  name: 'JMESPath',
  parse: (value) => (isJmesPath(value) ? { value } : { expected: 'a JMESPath expression of at most 1000 characters' }),
};

const providerUrl: SettingKind<string> = {
  name: 'URL',
  parse(value) {
    const url = parseUrl(value);
    const isLocal = url?.protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
    if (url && (url.protocol === 'https:' || isLocal) && !url.username && !url.password) return { value };
    return { expected: 'an https URL without a user; http is allowed for localhost, 127.0.0.1 and [::1]' };
  },
};

const absolutePath: SettingKind<string> = {
  name: 'path',
  parse: (value) => (isAbsolute(value) ? { value } : { expected: 'an absolute path' }),
};

const variableName: SettingKind<string> = {
  name: 'name of a variable',
  parse: (value) =>
    /^[A-Za-z_][A-Za-z0-9_]*$/.test(value) ? { value } : { expected: 'the name of an environment variable' },
};

/** One row of `OIDC_FIELDS`. */
export interface Field<T> {
  readonly kind: SettingKind<T>;
  readonly default?: T;
  readonly description: string;
  readonly isSecret?: boolean;
}
const field = <T>(
  kind: SettingKind<T>,
  description: string,
  options: { default?: NoInfer<T>; isSecret?: boolean } = {},
) => ({ kind, description, ...options }) as Field<T>;

/** Settings of a provider, by the end of the variable `SERVICE_OAUTH2_<IDP>_<FIELD>`. */
export const OIDC_FIELDS = {
  CLIENT_ID: field(text, 'Client id at the provider. Required.'),
  CLIENT_SECRET: field(text, 'Client secret. Required, except for the methods `none` and `client_assertion_jwt`.', {
    isSecret: true,
  }),
  OIDC_CONFIG_URL: field(providerUrl, 'URL of the discovery document. Required.'),
  DISPLAY_NAME: field(text, 'Name on the button. Default: made of `<IDP>`.'),
  ALLOW_SIGN_UP: field(bool, 'Create an account at the first sign-in.', { default: true }),
  AUTO_LOGIN: field(bool, 'Go to this provider without a click. At most one provider.', { default: false }),
  USE_PKCE: field(bool, 'Use PKCE (S256).', { default: false }),
  TOKEN_ENDPOINT_AUTH_METHOD: field(
    choice(...CLIENT_AUTH_METHODS),
    'How the server authenticates itself. Default: what the provider supports, basic first.',
  ),
  CLIENT_ASSERTION_FILE: field(absolutePath, 'File with the assertion of `client_assertion_jwt`, at most 64 KiB.'),
  CLIENT_ASSERTION_FILE_ENV_VAR: field(variableName, 'Name of a variable that holds that path, instead of the path.'),
  SCOPES: field(list(/\s+/), 'Scopes in addition to `openid email profile`, separated by blanks.'),
  EMAIL_ATTRIBUTE_PATH: field(jmesPath, 'JMESPath of the email. Default: the claim `email`.'),
  GROUPS_ATTRIBUTE_PATH: field(jmesPath, 'JMESPath of the groups. Needs `ALLOWED_GROUPS`.'),
  ALLOWED_GROUPS: field(list(/,/), 'Groups that may sign in, separated by commas. Needs `GROUPS_ATTRIBUTE_PATH`.'),
  ROLE_ATTRIBUTE_PATH: field(jmesPath, 'JMESPath of the role, or of a list whose first item counts.'),
  ROLE_MAPPING: field(roleMapping, 'Roles by value, as in `owner:ADMIN,dev:MEMBER`. Default: values are role names.'),
  ROLE_ATTRIBUTE_STRICT: field(bool, 'Reject users without a valid role. Else they are viewers.', { default: false }),
  ROLE_RESYNC: field(bool, 'Apply the role at each sign-in, not only to a new user.', { default: true }),
} as const;

export type OidcField = keyof typeof OIDC_FIELDS;
type FieldValue<Name extends OidcField> = (typeof OIDC_FIELDS)[Name] extends Field<infer T> ? T : never;
export type OidcValues = { -readonly [Name in OidcField]?: FieldValue<Name> };
