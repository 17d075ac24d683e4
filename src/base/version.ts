import { readFileSync } from 'node:fs';

/** Our own version, as package.json has it. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
).version;

/**
 * The version of the described server up to which everything that its public clients ask for by version is here.
 * They gate calls on it, so it is raised when every gate below the higher number is met.
 */
export const COMPATIBLE_VERSION = '20.8.0';
