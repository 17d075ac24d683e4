import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CompletionSource } from '../command-line/command.ts';
import { readSetting } from '../settings/environment.ts';
import { cacheFolder } from '../settings/folders.ts';
import { readProfiles } from '../settings/profiles.ts';

/** Age after which names are read again, in the background. */
const FRESH_MS = 30_000;
/** Time that a first completion waits for names that nobody has asked for before. */
const WAIT_MS_MAX = 40;
const NAME_COUNT_MAX = 500;
const REFRESH_MS_MAX = 10_000;

type ServerSource = Exclude<CompletionSource, 'files' | 'profiles'>;

/**
 * Names for completion. Those of the server come from a file, which a process in the background renews, so the time of a
 * completion does not depend on the server.
 */
export async function namesOf(source: Exclude<CompletionSource, 'files'>, words: readonly string[]): Promise<string[]> {
  if (source === 'profiles') return [...readProfiles().profiles.keys()];
  const [endpoint, profile] = [valueAfter(words, '--endpoint'), valueAfter(words, '--profile')];
  const path = cachePath(source, endpoint, profile);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat || Date.now() - stat.mtimeMs > FRESH_MS) startRefresh(source, endpoint, profile);
  const until = Date.now() + WAIT_MS_MAX;
  while (!existsSync(path) && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 5));
  return readNames(path);
}

function valueAfter(words: readonly string[], flag: string): string {
  const index = words.indexOf(flag);
  return index < 0 ? '' : (words[index + 1] ?? '');
}

/** One file for each server and credential, so that names of one account do not appear in another. */
function cachePath(source: ServerSource, endpoint: string, profile: string): string {
  const stored = readProfiles();
  const active = profile || readSetting('PROFILE') || stored.activeProfile || '';
  const parts = [source, endpoint, active, stored.profiles.get(active)?.endpoint ?? '', process.cwd()];
  const settings = ['ENDPOINT', 'HOST', 'PORT', 'COLLECTOR_ENDPOINT', 'API_KEY'].map((name) => readSetting(name) ?? '');
  const hash = createHash('sha256').update(JSON.stringify([...parts, ...settings]));
  return join(cacheFolder(), `names-${hash.digest('hex').slice(0, 24)}.json`);
}

function readNames(path: string): string[] {
  try {
    const names: unknown = JSON.parse(readFileSync(path, 'utf8'));
    // A name with a line break or tab would be several words to a shell.
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string' && /^[^\p{C}]+$/u.test(name)) : [];
  } catch {
    return [];
  }
}

function startRefresh(source: ServerSource, endpoint: string, profile: string): void {
  const program = process.argv[1] ?? '';
  const child = spawn(process.execPath, [program, '--complete', 'refresh', source, endpoint, profile], {
    detached: true,
    stdio: 'ignore',
  });
  child.once('error', () => undefined);
  child.unref();
}

/** Reads names from the server into the file. Runs in the background. */
export async function refreshNames([source = '', endpoint = '', profile = '']: readonly string[]): Promise<void> {
  const { openClient } = await import('../settings/open-client.ts');
  const path = cachePath(source as ServerSource, endpoint, profile);
  mkdirSync(cacheFolder(), { recursive: true, mode: 0o700 });
  const settings = {
    endpoint: endpoint || undefined,
    profile: profile || undefined,
    apiKey: undefined,
    project: undefined,
  };
  const { client } = await openClient(settings, { attemptCountMax: 1 }, () => undefined);
  const names = await readFrom(client, source as ServerSource).catch(() => undefined);
  if (!names) return;
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(names), { mode: 0o600 });
  renameSync(temporary, path);
}

type Client = Awaited<ReturnType<typeof import('../settings/open-client.ts').openClient>>['client'];

async function readFrom(client: Client, source: ServerSource): Promise<string[]> {
  const signal = AbortSignal.timeout(REFRESH_MS_MAX);
  const { readPages, toArray } = await import('../actions/pages.ts');
  const pages = (
    read: (cursor: string | undefined) => Promise<{ data?: { data: { name: string }[]; next_cursor: string | null } }>,
  ) => toArray(readPages(read, NAME_COUNT_MAX));
  const query = { limit: 100 };
  if (source === 'projects') {
    const all = { ...query, include_experiment_projects: false };
    return (await pages((cursor) => client.GET('/v1/projects', { params: { query: { ...all, cursor } }, signal }))).map(
      ({ name }) => name,
    );
  }
  if (source === 'datasets')
    return (
      await pages((cursor) => client.GET('/v1/datasets', { params: { query: { ...query, cursor } }, signal }))
    ).map(({ name }) => name);
  if (source === 'prompts')
    return (
      await pages((cursor) => client.GET('/v1/prompts', { params: { query: { ...query, cursor } }, signal }))
    ).map(({ name }) => name);
  return [];
}
