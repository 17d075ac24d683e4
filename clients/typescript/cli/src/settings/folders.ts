import { homedir } from 'node:os';
import { join } from 'node:path';
import { readVariable } from './environment.ts';

const underHome = (variable: string, fallback: string): string =>
  join(readVariable(variable) ?? join(homedir(), fallback), 'spandrel');

/** Where profiles are stored. */
export const configFolder = (): string => underHome('XDG_CONFIG_HOME', '.config');

/** What can be deleted at any time. */
export const cacheFolder = (): string => underHome('XDG_CACHE_HOME', '.cache');
