export { readVariable } from './environment.ts';
export type { HeaderMap } from './headers.ts';
export {
  checkBaseUrl,
  type EnvironmentSettings,
  type Lookup,
  openLookups,
  readSettings,
} from './read-settings.ts';
