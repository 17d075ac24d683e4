import { createRequire } from 'node:module';

/** Version of Spandrel from package.json. Works from every folder of the package. */
export const VERSION: string = createRequire(import.meta.url)('spandrel/package.json').version;

/**
 * Version of the described server with which this one is compatible. Public clients enable calls by this version, so it
 * is raised only when every call of the higher version is supported.
 */
export const COMPATIBLE_VERSION = '20.8.0';
