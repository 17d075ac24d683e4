import * as newest from '@arizeai/phoenix-client';
import * as newestDatasets from '@arizeai/phoenix-client/datasets';
import * as newestExperiments from '@arizeai/phoenix-client/experiments';
import * as newestPrompts from '@arizeai/phoenix-client/prompts';
import * as oldest from 'phoenix-client-5.9';
import * as oldestDatasets from 'phoenix-client-5.9/datasets';
import * as oldestExperiments from 'phoenix-client-5.9/experiments';
import * as oldestPrompts from 'phoenix-client-5.9/prompts';
import * as older from 'phoenix-client-6.5';
import * as olderDatasets from 'phoenix-client-6.5/datasets';
import * as olderExperiments from 'phoenix-client-6.5/experiments';
import * as olderPrompts from 'phoenix-client-6.5/prompts';

/** What the tests use of a version. Each has its own types, which the calls of the tests fit. */
export interface PhoenixClientModules {
  readonly createClient: typeof newest.createClient;
  readonly datasets: typeof newestDatasets;
  readonly experiments: typeof newestExperiments;
  readonly prompts: typeof newestPrompts;
}

/** The TypeScript client: the newest, and those that applications still use. */
export const PHOENIX_CLIENTS: Readonly<Record<'newest' | '6.5.5' | '5.9.0', PhoenixClientModules>> = {
  newest: {
    createClient: newest.createClient,
    datasets: newestDatasets,
    experiments: newestExperiments,
    prompts: newestPrompts,
  },
  '6.5.5': {
    createClient: older.createClient,
    datasets: olderDatasets,
    experiments: olderExperiments,
    prompts: olderPrompts,
  } as unknown as PhoenixClientModules,
  '5.9.0': {
    createClient: oldest.createClient,
    datasets: oldestDatasets,
    experiments: oldestExperiments,
    prompts: oldestPrompts,
  } as unknown as PhoenixClientModules,
};
