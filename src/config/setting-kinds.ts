import { accessSync, constants, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { parseUrl } from './parse-url.ts';

/** A value, or a description of the expected text that completes the sentence "Value must be …". */
export type Parsed<T> = { readonly value: T } | { readonly expected: string };

/** Converts the text of a setting to its value. The text is trimmed and never empty. */
export interface SettingKind<T> {
  /** One or two words for the table of settings. */
  readonly name: string;
  parse(text: string): Parsed<T>;
}

export const text: SettingKind<string> = { name: 'text', parse: (value) => ({ value }) };

export const bool: SettingKind<boolean> = {
  name: 'true or false',
  parse(text) {
    const lower = text.toLowerCase();
    return lower === 'true' || lower === 'false' ? { value: lower === 'true' } : { expected: "'true' or 'false'" };
  },
};

export const integer = (min: number, max = Number.MAX_SAFE_INTEGER): SettingKind<number> => ({
  name: 'integer',
  parse(text) {
    if (!/^[+-]?\d+$/.test(text)) return { expected: 'an integer' };
    const value = Number(text);
    return value >= min && value <= max ? { value } : { expected: `an integer ${range(min, max)}` };
  },
});

export const number = ({
  above,
  min,
  max = Infinity,
}: {
  above?: number;
  min?: number;
  max?: number;
}): SettingKind<number> => ({
  name: 'number',
  parse(text) {
    const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
    if (!Number.isFinite(value)) return { expected: 'a number' };
    if (above !== undefined && value <= above) return { expected: `a number greater than ${above}` };
    if (above !== undefined && value > max) return { expected: `a number of at most ${max}` };
    if (min !== undefined && (value < min || value > max)) return { expected: `a number ${range(min, max)}` };
    return { value };
  },
});

/** A text that is hard to guess. */
export const secret: SettingKind<string> = {
  name: 'text',
  parse(text) {
    if (/\s/.test(text)) return { expected: 'a string without spaces' };
    if (!/^[\x21-\x7e]+$/.test(text)) return { expected: 'a string of ASCII characters' };
    return text.length >= 32 && /\d/.test(text) && /[a-z]/.test(text)
      ? { value: text }
      : { expected: 'a string of at least 32 characters, with at least one digit and one lowercase letter' };
  },
};

/** Secrets separated by commas, or one per line where a secret contains a comma. */
export const secretList: SettingKind<readonly string[]> = {
  name: 'comma-separated list',
  parse(text) {
    const items = (text.includes('\n') ? text.split('\n') : text.split(',')).map((item) => item.trim());
    const parsed = items.filter((item) => item !== '').map((item) => secret.parse(item));
    const wrong = parsed.findIndex((item) => 'expected' in item);
    const item = parsed[wrong];
    if (item && 'expected' in item) {
      return { expected: `secrets separated by commas, or one per line; number ${wrong + 1} must be ${item.expected}` };
    }
    return { value: parsed.flatMap((one) => ('value' in one ? [one.value] : [])) };
  },
};

/** Names and emails of accounts. The last `=` divides, because a name may contain one. */
export const accounts: SettingKind<readonly { readonly username: string; readonly email: string }[]> = {
  name: 'name=email;…',
  parse(text) {
    const value = text.split(';').map((entry) => {
      const at = entry.lastIndexOf('=');
      return {
        username: entry.slice(0, Math.max(at, 0)).trim(),
        email: entry
          .slice(at + 1)
          .trim()
          .toLowerCase(),
      };
    });
    const isValid = value.every(({ username, email }) => username !== '' && /^[^@\s]+@[^@\s]+[.][^@\s]+$/.test(email));
    const isUnique = (key: 'username' | 'email') => new Set(value.map((account) => account[key])).size === value.length;
    return isValid && isUnique('username') && isUnique('email')
      ? { value }
      : { expected: "pairs 'name=email', divided by ';', with no name or email twice" };
  },
};

/** 0 selects a free port. */
export const port: SettingKind<number> = { ...integer(0, 65_535), name: 'port' };

export const choice = <T extends string>(...values: readonly T[]): SettingKind<T> => ({
  name: values.join(', '),
  parse(text) {
    const value = values.find((candidate) => candidate === text.toLowerCase());
    return value === undefined ? { expected: `one of ${values.join(', ')}` } : { value };
  },
});

/** Origins as browsers send them: scheme, host and optionally a port. `*` means any origin. */
export const origins: SettingKind<readonly string[]> = {
  name: 'comma-separated list',
  parse(text) {
    const items = listItems(text).map((item) => item.replace(/\/$/, ''));
    const wrong = items.find((item) => item !== '*' && parseUrl(item)?.origin !== item.toLowerCase());
    if (wrong !== undefined)
      return { expected: `origins such as https://example.com separated by commas; '${wrong}' is not an origin` };
    return { value: items.map((item) => item.toLowerCase()) };
  },
};

/** Host names without a port. `*.example.com` allows all subdomains of `example.com`, and `*` allows any name. */
export const hostNames: SettingKind<readonly string[]> = {
  name: 'comma-separated list',
  parse(text) {
    const items = listItems(text).map((item) => item.toLowerCase());
    const wrong = items.find((item) => item !== '*' && !/^(\*\.)?[a-z0-9_]([a-z0-9_.-]{0,252})$/.test(item));
    if (wrong !== undefined)
      return { expected: `host names such as traces.example.com separated by commas; '${wrong}' is not a host name` };
    return { value: items };
  },
};

/** IP addresses, and networks as `address/length`. */
export const networks: SettingKind<readonly string[]> = {
  name: 'comma-separated list',
  parse(text) {
    const items = listItems(text);
    const wrong = items.find((item) => !isNetwork(item));
    if (wrong !== undefined)
      return { expected: `IP addresses or networks such as 10.0.0.0/8 separated by commas; '${wrong}' is neither` };
    return { value: items };
  },
};

function isNetwork(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || rest.length > 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (family === 4 ? 32 : 128));
}

/** An absolute path; `~/` means the home directory. */
export const path: SettingKind<string> = {
  name: 'path',
  parse: (text) => ({ value: resolve(text.replace(/^~(?=\/|$)/, homedir())) }),
};

/** The path of a readable file. */
export const file: SettingKind<string> = {
  name: 'path',
  parse(text) {
    const value = resolve(text.replace(/^~(?=\/)/, homedir()));
    try {
      accessSync(value, constants.R_OK);
      if (statSync(value).isFile()) return { value };
    } catch {
      // The message contains the path; the user can see whether the file is missing or not readable.
    }
    return { expected: 'the path of a file that this process can read' };
  },
};

/** An absolute http or https URL. Slashes at the end are removed. */
export const httpUrl: SettingKind<string> = {
  name: 'URL',
  parse(text) {
    const url = parseUrl(text);
    if (!url || !/^https?:$/.test(url.protocol) || !url.host) {
      return { expected: 'a URL with scheme (http or https) and host' };
    }
    return { value: text.replace(/\/+$/, '') };
  },
};

export const email: SettingKind<string> = {
  name: 'e-mail address',
  parse: (text) => (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? { value: text } : { expected: 'an e-mail address' }),
};

/** A path prefix that a proxy adds: empty, or with a slash at the start and none at the end. */
export const rootPath: SettingKind<string> = {
  name: 'path prefix',
  parse: (text) =>
    /^(\/[^/?#\s]+)+$/.test(text)
      ? { value: text }
      : { expected: "a path that starts with '/' and does not end with '/'" },
};

/** A name that Postgres accepts without quotes. */
export const schemaName: SettingKind<string> = {
  name: 'text',
  parse: (text) =>
    /^[A-Za-z_][A-Za-z0-9_$]{0,62}$/.test(text)
      ? { value: text }
      : { expected: 'a Postgres schema name: letters, digits and underscores, not starting with a digit' },
};

const listItems = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const range = (min: number, max: number) =>
  max === Infinity || max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
