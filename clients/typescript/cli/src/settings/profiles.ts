import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../command-line/command.ts';
import { configFolder } from './folders.ts';

/** Tokens of a sign-in in the browser. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** ISO time. */
  readonly expiresAt: string;
}

/** Settings for one server. */
export interface Profile {
  readonly endpoint?: string;
  readonly apiKey?: string;
  readonly project?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly tokens?: Tokens;
}

export interface Profiles {
  readonly activeProfile: string | undefined;
  readonly profiles: ReadonlyMap<string, Profile>;
}

const BYTES_MAX = 1024 * 1024;
const PROFILE_COUNT_MAX = 1_000;
const NAME = /^[\w.-]{1,100}$/;

export const profilesPath = (): string => join(configFolder(), 'settings.json');

/** @throws {UsageError} for a name that is no file-like word */
export function checkProfileName(name: string): string {
  if (NAME.test(name) && name !== '__proto__') return name;
  throw new UsageError(
    `A profile name has 1 to 100 letters, digits, dots, dashes and underscores; received "${name}".`,
  );
}

/** The stored profiles; none when there is no file. @throws {UsageError} when the file cannot be read */
export function readProfiles(): Profiles {
  const path = profilesPath();
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return { activeProfile: undefined, profiles: new Map() };
  if (stat.size > BYTES_MAX) throw new UsageError(`${path} has ${stat.size} bytes, expected at most ${BYTES_MAX}.`);
  // Others could read keys.
  if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0) tryChmod(path);
  try {
    const { activeProfile, profiles } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    const entries = Object.entries((profiles ?? {}) as Record<string, Profile>).filter(([name]) => NAME.test(name));
    return { activeProfile: typeof activeProfile === 'string' ? activeProfile : undefined, profiles: new Map(entries) };
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'is no JSON' : `cannot be read (${(error as Error).message})`;
    throw new UsageError(`${path} ${reason}. Correct it, or delete it and create the profiles again.`);
  }
}

function tryChmod(path: string): void {
  try {
    chmodSync(path, 0o600);
  } catch {
    process.stderr.write(`Other users can read ${path}: chmod 600 '${path}'\n`);
  }
}

/** Replaces the file at once, so that a crash leaves the old or the new one. Only the user can read it. */
export function writeProfiles({ activeProfile, profiles }: Profiles): void {
  if (profiles.size > PROFILE_COUNT_MAX) throw new UsageError(`There can be at most ${PROFILE_COUNT_MAX} profiles.`);
  const path = profilesPath();
  const content = { ...(activeProfile && { activeProfile }), profiles: Object.fromEntries(profiles) };
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new UsageError(`${path} cannot be written: ${(error as Error).message}`);
  }
}

/** Stores a profile, or changes it. */
export function saveProfile(name: string, profile: Profile): void {
  const { activeProfile, profiles } = readProfiles();
  writeProfiles({ activeProfile, profiles: new Map(profiles).set(checkProfileName(name), profile) });
}

/** The profile of this name, else the active one. @throws {UsageError} when there is none of the name */
export function findProfile(
  name: string | undefined,
): { readonly name: string; readonly profile: Profile } | undefined {
  const { activeProfile, profiles } = readProfiles();
  const chosen = name ?? activeProfile;
  if (chosen === undefined) return undefined;
  const profile = profiles.get(chosen);
  if (profile) return { name: chosen, profile };
  const names = [...profiles.keys()].join(', ') || 'none';
  throw new UsageError(
    `There is no profile "${chosen}". Stored profiles: ${names}. spandrel profile create makes one.`,
  );
}
