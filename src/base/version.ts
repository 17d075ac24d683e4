import { createRequire } from 'node:module';

/** Our own version, as package.json has it, wherever below it this file stands. */
export const VERSION: string = createRequire(import.meta.url)('spandrel/package.json').version;

/**
 * The version of the described server up to which everything that its public clients ask for by version is here.
 * They gate calls on it, so it is raised when every gate below the higher number is met.
 */
export const COMPATIBLE_VERSION = '20.8.0';
