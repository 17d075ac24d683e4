import { readFileSync } from 'node:fs';
import { parseOidcVariable } from './identity/oidc-providers.ts';
import { nearestName } from './nearest-name.ts';
import { classifyOtherName, OTHER_NAMES } from './other-names.ts';
import { SETTING_NAMES, SETTINGS, type Setting, type SettingName, type SettingValues } from './settings.ts';
import { showValue } from './show-value.ts';

/** Prefix of the settings, and the prefix that is read if the first is unset. */
export const PREFIX = 'SERVICE_';
export const ALIAS_PREFIX = 'PHOENIX_';

export type Environment = Readonly<Record<string, string | undefined>>;
/** Values of command-line flags, by the setting that they replace: `{ PORT: { flag: '--port', text: '80' } }`. */
export type FlagTexts = { readonly [Name in SettingName]?: { readonly flag: string; readonly text: string } };

/** Source of each value: `default`, `--port`, `SERVICE_PORT`, `PHOENIX_PORT`, `SERVICE_SECRET_FILE` … */
export type Origins = { readonly [Name in SettingName]: string };

export interface SettingsReading {
  readonly values: SettingValues;
  readonly origins: Origins;
  /** One sentence per invalid value. */
  readonly problems: readonly string[];
  /** One sentence per variable that is set but has no effect. */
  readonly warnings: readonly string[];
}

/**
 * Reads every setting of the table: flag, then `SERVICE_X`, then `PHOENIX_X`, then the default. A blank value is unset.
 */
export function readSettings(env: Environment, flags: FlagTexts): SettingsReading {
  const values: Partial<Record<SettingName, unknown>> = {};
  const origins: Partial<Record<SettingName, string>> = {};
  const problems: string[] = [];
  for (const name of SETTING_NAMES) {
    const setting: Setting<unknown> = SETTINGS[name];
    const source = findSource(name, setting, env, flags);
    origins[name] = 'text' in source ? source.origin : 'default';
    values[name] = 'text' in source ? readValue(setting, source, problems) : readDefault(setting);
    if ('problem' in source) problems.push(source.problem);
  }
  return {
    values: values as SettingValues,
    origins: origins as Origins,
    problems,
    warnings: warnOfOtherNames(env),
  };
}

type Source = { readonly origin: string; readonly text: string } | { readonly problem: string } | Record<never, never>;

function findSource(name: SettingName, setting: Setting<unknown>, env: Environment, flags: FlagTexts): Source {
  const given = flags[name];
  if (given?.text.trim()) return { origin: given.flag, text: given.text.trim() };
  for (const prefix of [PREFIX, ALIAS_PREFIX]) {
    const variable = prefix + name;
    const text = env[variable]?.trim() || (env[variable] === undefined ? undefined : setting.blank);
    const path = setting.secret ? env[`${variable}_FILE`]?.trim() : undefined;
    if (text && path) return { problem: `Both ${variable} and ${variable}_FILE are set. Set one of them.` };
    if (path) return readSecretFile(`${variable}_FILE`, path);
    if (text && !(setting.injected && text.startsWith('tcp://'))) return { origin: variable, text };
  }
  return {};
}

function readSecretFile(variable: string, path: string): Source {
  try {
    const text = readFileSync(path, 'utf8').trim();
    if (text) return { origin: variable, text };
    return { problem: wrong(variable, path, 'a file that is not empty') };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    return { problem: wrong(variable, path, `the path of a file that this process can read (${code})`) };
  }
}

function readValue(setting: Setting<unknown>, source: { origin: string; text: string }, problems: string[]): unknown {
  const parsed = setting.kind.parse(source.text);
  if ('value' in parsed) return parsed.value;
  problems.push(wrong(source.origin, showValue(setting, source.text), parsed.expected));
  return setting.default;
}

/** A text default is parsed by its kind too, so that `~` means the home directory. */
function readDefault(setting: Setting<unknown>): unknown {
  if (typeof setting.default !== 'string' || setting.default === '') return setting.default;
  const parsed = setting.kind.parse(setting.default);
  return 'value' in parsed ? parsed.value : setting.default;
}

const wrong = (origin: string, shown: string, expected: string): string =>
  `Invalid value for ${origin.startsWith('--') ? 'flag' : 'environment variable'} ${origin}: ${shown}. Value must be ${expected}.`;

/**
 * Warns about variables with one of the prefixes that have no effect. With the alias prefix, only known names are
 * reported.
 */
function warnOfOtherNames(env: Environment): string[] {
  const warnings: string[] = [];
  for (const [variable, text] of Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const prefix = [PREFIX, ALIAS_PREFIX].find((candidate) => variable.startsWith(candidate));
    if (prefix === undefined || !text?.trim()) continue;
    const name = variable.slice(prefix.length);
    if (isRead(name)) continue;
    const other = classifyOtherName(name, text);
    if (other.kind === 'leftOut') warnings.push(`${variable} has no effect: ${other.why}.`);
    if (other.kind === 'notUsedYet') warnings.push(`${variable} has no effect: this version does not use it yet.`);
    if (other.kind === 'unknown' && prefix === PREFIX) {
      const nearest = nearestName(name, [...SETTING_NAMES, ...OTHER_NAMES]);
      warnings.push(`${variable} is not a setting${nearest ? `; did you mean ${PREFIX}${nearest}?` : '.'}`);
    }
  }
  return warnings;
}

function isRead(name: string): boolean {
  if (Object.hasOwn(SETTINGS, name) || parseOidcVariable(name) !== undefined) return true;
  const secret = name.replace(/_FILE$/, '');
  return secret !== name && Object.hasOwn(SETTINGS, secret) && SETTINGS[secret as SettingName].secret;
}
