import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { findAuthorizationServer, requestTokens } from './oauth.ts';
import { type Profile, profilesPath, readProfiles, saveProfile } from './profiles.ts';

/** Time before its end at which a token is replaced. */
const EARLY_MS = 60_000;
const LOCK_MS_MAX = 30_000;

const isFresh = ({ tokens }: Profile): boolean =>
  tokens !== undefined && Date.parse(tokens.expiresAt) - Date.now() > EARLY_MS;

/**
 * The access token of a profile, replaced when it ends soon. One process replaces it at a time: a refresh token works once,
 * and the second use ends the grant.
 *
 * @param rejected a token that the server rejected, though it looks fresh: the clock of this machine was changed since
 */
export async function freshToken(
  name: string,
  profile: Profile,
  warn: (message: string) => void,
  rejected?: string,
): Promise<string | undefined> {
  const isUsable = (each: Profile) => isFresh(each) && each.tokens?.accessToken !== rejected;
  if (isUsable(profile)) return profile.tokens?.accessToken;
  const lock = `${profilesPath()}.lock`;
  await takeLock(lock);
  try {
    // Another process may have replaced it.
    const current = readProfiles().profiles.get(name) ?? profile;
    if (isUsable(current) || !current.tokens || !current.endpoint) return current.tokens?.accessToken;
    const { token } = await findAuthorizationServer(current.endpoint, AbortSignal.timeout(LOCK_MS_MAX));
    const form = { grant_type: 'refresh_token', refresh_token: current.tokens.refreshToken };
    const tokens = await requestTokens(token, form);
    saveProfile(name, { ...current, tokens });
    return tokens.accessToken;
  } catch (error) {
    warn(`The sign-in of profile ${name} could not be renewed: ${(error as Error).message}`);
    return profile.tokens?.accessToken;
  } finally {
    rmSync(lock, { force: true });
  }
}

async function takeLock(path: string): Promise<void> {
  for (;;) {
    try {
      return closeSync(openSync(path, 'wx', 0o600));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const stat = statSync(path, { throwIfNoEntry: false });
      // The process that took it was killed.
      if (stat && Date.now() - stat.mtimeMs > LOCK_MS_MAX) rmSync(path, { force: true });
      await sleep(50);
    }
  }
}
