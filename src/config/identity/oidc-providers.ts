import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { ownValue } from '../../base/own-value.ts';
import type { Parsed } from '../setting-kinds.ts';
import { type ClientAuthMethod, type Field, OIDC_FIELDS, type OidcField, type OidcValues } from './oidc-fields.ts';
import type { AssignableRole } from './role-kinds.ts';

/** One OpenID Connect provider. */
export interface OidcProviderConfig {
  /** Lower case; part of the paths `/oauth2/<name>/…`. */
  readonly name: string;
  readonly displayName: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  /** URL of the discovery document. https, or http on loopback. */
  readonly configUrl: string;
  /** Undefined: what the provider supports, basic first. */
  readonly clientAuthMethod: ClientAuthMethod | undefined;
  /** File with the assertion of `client_assertion_jwt`. It is read for each exchange, because a platform renews it. */
  readonly clientAssertionFile: string | undefined;
  readonly allowsSignUp: boolean;
  readonly signsInAutomatically: boolean;
  readonly usesPkce: boolean;
  /** Scopes besides `openid email profile`. */
  readonly extraScopes: readonly string[];
  /** JMESPath expressions. Undefined: the claim `email`; no groups; no role. */
  readonly emailPath: string | undefined;
  readonly groupsPath: string | undefined;
  readonly rolePath: string | undefined;
  /** A sign-in needs one of these groups. Empty when there is no `groupsPath`. */
  readonly allowedGroups: readonly string[];
  /** Value of the provider → role. Undefined: the value is the name of a role. */
  readonly roleMapping: ReadonlyMap<string, AssignableRole> | undefined;
  /** Rejects a user without a valid role. Else such a user is a viewer. */
  readonly isRoleRequired: boolean;
  /** Applies the role at each sign-in, not only to a new user. */
  readonly updatesRole: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A variable of a provider, for `--print-config`. `name` has no prefix. */
export interface OidcSetting {
  readonly name: string;
  readonly shown: string;
  readonly origin: string;
}

export interface OidcReading {
  /** Sorted by name. */
  readonly providers: readonly OidcProviderConfig[];
  readonly effective: readonly OidcSetting[];
  readonly problems: readonly string[];
}

/** Paths below `/oauth2/` that have another meaning. */
const RESERVED_NAMES = new Set(['authorize', 'token', 'revoke', 'register', 'consent']);

/** Longest first, so that `CLIENT_ASSERTION_FILE_ENV_VAR` is not read as something shorter. */
const FIELD_ENDS = [...Object.keys(OIDC_FIELDS), 'CLIENT_SECRET_FILE'].sort((a, b) => b.length - a.length);

/** Parts of `OAUTH2_<IDP>_<FIELD>`; undefined for other names. The name of a provider may contain underscores. */
export function parseOidcVariable(name: string): { readonly idp: string; readonly field: string } | undefined {
  const rest = /^OAUTH2_([A-Z0-9_]+)$/.exec(name)?.[1];
  const end = FIELD_ENDS.find((candidate) => rest?.endsWith(`_${candidate}`));
  const idp = end === undefined ? undefined : rest?.slice(0, -end.length - 1);
  return idp && end ? { idp, field: end } : undefined;
}

/** Reads all providers. A provider exists when one of its variables is set under any of the prefixes, the first of which wins. */
export function readOidcProviders(env: Environment, prefixes: readonly string[]): OidcReading {
  const problems: string[] = [];
  const effective: OidcSetting[] = [];
  const names = Object.keys(env).filter((variable) => ownValue(env, variable)?.trim());
  const idps = new Set(
    names.flatMap((variable) => {
      const prefix = prefixes.find((candidate) => variable.startsWith(candidate));
      return (prefix !== undefined && parseOidcVariable(variable.slice(prefix.length))?.idp) || [];
    }),
  );
  const providers = [...idps].sort().flatMap((idp) => {
    const reader = new ProviderReader(env, prefixes, idp);
    const provider = reader.read();
    problems.push(...reader.problems);
    effective.push(...reader.effective);
    return provider ?? [];
  });
  const automatic = providers.filter(({ signsInAutomatically }) => signsInAutomatically);
  if (automatic.length > 1) {
    const variables = automatic.map(({ name }) => `${prefixes[0]}OAUTH2_${name.toUpperCase()}_AUTO_LOGIN`);
    problems.push(
      `Only one identity provider may sign in automatically: unset all but one of ${variables.join(', ')}.`,
    );
  }
  return { providers, effective, problems };
}

/** Reads one provider and collects its problems. No message contains a secret. */
class ProviderReader {
  readonly problems: string[] = [];
  readonly effective: OidcSetting[] = [];
  private readonly env: Environment;
  private readonly prefixes: readonly string[];
  private readonly idp: string;
  readonly #values: OidcValues = {};
  readonly #origins: Partial<Record<OidcField, string>> = {};

  constructor(env: Environment, prefixes: readonly string[], idp: string) {
    this.env = env;
    this.prefixes = prefixes;
    this.idp = idp;
  }

  /** Undefined when there are problems. */
  read(): OidcProviderConfig | undefined {
    for (const name of Object.keys(OIDC_FIELDS) as OidcField[]) this.#readField(name);
    if (RESERVED_NAMES.has(this.idp.toLowerCase())) {
      this.problems.push(`${this.#nameOf('CLIENT_ID')}: the name ${this.idp} is reserved. Choose another name.`);
    }
    this.#checkClient();
    this.#checkRoles();
    const clientAssertionFile = this.#findAssertionFile();
    return this.problems.length === 0 ? this.#toProvider(clientAssertionFile) : undefined;
  }

  #readField(name: OidcField): void {
    const { kind, default: fallback, isSecret } = OIDC_FIELDS[name] as Field<unknown>;
    const source = this.#findText(name, isSecret === true);
    let parsed: Parsed<unknown> = { value: fallback };
    if (source !== undefined) {
      this.#origins[name] = source.origin;
      parsed = kind.parse(source.text);
      if ('expected' in parsed) {
        const shown = isSecret ? '***' : source.text;
        this.problems.push(
          `Invalid value for environment variable ${source.origin}: ${shown}. Value must be ${parsed.expected}.`,
        );
      }
      this.effective.push({
        name: `OAUTH2_${this.idp}_${name}`,
        shown: isSecret ? '***' : source.text,
        origin: source.origin,
      });
    }
    const value = 'value' in parsed ? parsed.value : fallback;
    Object.assign(this.#values, { [name]: value });
  }

  #findText(name: OidcField, isSecret: boolean): { readonly origin: string; readonly text: string } | undefined {
    for (const prefix of this.prefixes) {
      const origin = `${prefix}OAUTH2_${this.idp}_${name}`;
      const direct = ownValue(this.env, origin)?.trim();
      const path = isSecret ? ownValue(this.env, `${origin}_FILE`)?.trim() : undefined;
      if (direct && path) this.problems.push(`Both ${origin} and ${origin}_FILE are set. Set one of them.`);
      if (direct) return { origin, text: direct };
      if (path) return { origin: `${origin}_FILE`, text: this.#readFile(`${origin}_FILE`, path) };
    }
    return undefined;
  }

  #readFile(variable: string, path: string): string {
    try {
      const content = readFileSync(path, 'utf8').trim();
      if (content !== '') return content;
    } catch {
      // The message names the path; the operator sees whether the file is missing or not readable.
    }
    this.problems.push(
      `Invalid value for environment variable ${variable}: ${path}. Value must be the path of a file with a secret that this process can read.`,
    );
    return '-';
  }

  /** The variable as the operator wrote it, or would write it. */
  #nameOf = (name: OidcField): string => this.#origins[name] ?? `${this.prefixes[0]}OAUTH2_${this.idp}_${name}`;

  #require(name: OidcField, why: string): void {
    if (this.#origins[name] === undefined) this.problems.push(`${this.#nameOf(name)} is unset; ${why}.`);
  }

  #checkClient(): void {
    const method = this.#values.TOKEN_ENDPOINT_AUTH_METHOD;
    this.#require('CLIENT_ID', 'every identity provider needs it');
    this.#require('OIDC_CONFIG_URL', 'every identity provider needs it');
    if (method !== 'none' && method !== 'client_assertion_jwt') {
      this.#require('CLIENT_SECRET', 'only the methods none and client_assertion_jwt need no secret');
    }
    const hasFile = this.#origins.CLIENT_ASSERTION_FILE !== undefined;
    const hasVariable = this.#origins.CLIENT_ASSERTION_FILE_ENV_VAR !== undefined;
    if (method === 'client_assertion_jwt' ? hasFile === hasVariable : hasFile || hasVariable) {
      const names = `${this.#nameOf('CLIENT_ASSERTION_FILE')} and ${this.#nameOf('CLIENT_ASSERTION_FILE_ENV_VAR')}`;
      this.problems.push(
        method === 'client_assertion_jwt'
          ? `Set exactly one of ${names} for the method client_assertion_jwt.`
          : `${names} need the method client_assertion_jwt in ${this.#nameOf('TOKEN_ENDPOINT_AUTH_METHOD')}.`,
      );
    }
  }

  #checkRoles(): void {
    const isSet = (name: OidcField) => this.#origins[name] !== undefined;
    if (isSet('GROUPS_ATTRIBUTE_PATH') !== (this.#values.ALLOWED_GROUPS ?? []).length > 0) {
      this.problems.push(
        `${this.#nameOf('GROUPS_ATTRIBUTE_PATH')} and ${this.#nameOf('ALLOWED_GROUPS')} need each other. Set both or none.`,
      );
    }
    if (isSet('ROLE_ATTRIBUTE_PATH')) return;
    const needing = (['ROLE_MAPPING', 'ROLE_ATTRIBUTE_STRICT', 'ROLE_RESYNC'] as const).filter(
      (name) => isSet(name) && this.#values[name] !== OIDC_FIELDS[name].default,
    );
    for (const name of needing) {
      this.problems.push(`${this.#nameOf(name)} needs ${this.#nameOf('ROLE_ATTRIBUTE_PATH')}, which is unset.`);
    }
  }

  /** The path that a named variable holds is in no message, because platforms put secrets beside it. */
  #findAssertionFile(): string | undefined {
    const { CLIENT_ASSERTION_FILE: direct, CLIENT_ASSERTION_FILE_ENV_VAR: variable } = this.#values;
    if (direct !== undefined || variable === undefined) return direct;
    const path = ownValue(this.env, variable)?.trim();
    if (path && isAbsolute(path)) return path;
    this.problems.push(
      `${this.#nameOf('CLIENT_ASSERTION_FILE_ENV_VAR')} names the variable ${variable}, which must hold an absolute path.`,
    );
    return undefined;
  }

  #toProvider(clientAssertionFile: string | undefined): OidcProviderConfig {
    const values = this.#values;
    const name = this.idp.toLowerCase();
    return {
      name,
      displayName: values.DISPLAY_NAME ?? toDisplayName(name),
      clientId: values.CLIENT_ID ?? '',
      clientSecret: values.CLIENT_SECRET,
      configUrl: values.OIDC_CONFIG_URL ?? '',
      clientAuthMethod: values.TOKEN_ENDPOINT_AUTH_METHOD,
      clientAssertionFile,
      allowsSignUp: values.ALLOW_SIGN_UP ?? true,
      signsInAutomatically: values.AUTO_LOGIN ?? false,
      usesPkce: values.USE_PKCE ?? false,
      extraScopes: values.SCOPES ?? [],
      emailPath: values.EMAIL_ATTRIBUTE_PATH,
      groupsPath: values.GROUPS_ATTRIBUTE_PATH,
      rolePath: values.ROLE_ATTRIBUTE_PATH,
      allowedGroups: values.ALLOWED_GROUPS ?? [],
      roleMapping: values.ROLE_MAPPING,
      isRoleRequired: values.ROLE_ATTRIBUTE_STRICT ?? false,
      updatesRole: values.ROLE_RESYNC ?? true,
    };
  }
}

const KNOWN_DISPLAY_NAMES: ReadonlyMap<string, string> = new Map([
  ['aws_cognito', 'AWS Cognito'],
  ['microsoft_entra_id', 'Microsoft Entra ID'],
]);

const toDisplayName = (name: string): string =>
  KNOWN_DISPLAY_NAMES.get(name) ??
  name
    .split('_')
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
