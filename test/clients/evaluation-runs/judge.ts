import type { FakeModelOptions, FakeModelServer } from '../../../clients/typescript/evals/src/fake-model/index.ts';
import type { ModelInput } from '../../../clients/typescript/evals/src/index.ts';
import type { InstalledEvals } from '../installed-evals.ts';

/** A judge of `{ input }` that says good or bad. */
export const judgeOf = ({ core }: InstalledEvals, model: ModelInput, options: object = {}) =>
  core.createClassificationEvaluator({
    name: 'quality',
    model,
    choices: { good: 1, bad: 0 },
    promptTemplate: [
      { role: 'system', content: 'Judge the input.' },
      { role: 'user', content: '<input>{{input}}</input>' },
    ],
    ...options,
  });

/** Rows whose even ones are bad. */
export const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ input: `text ${index} truth=${index % 2}` }));

export const EXACT = { judge: { sensitivity: 1, specificity: 1 } };

type Provider = 'openai' | 'openai-compatible' | 'anthropic' | 'google';

const MODELS = {
  openai: 'gpt-5',
  'openai-compatible': 'local',
  anthropic: 'claude-haiku-4-5',
  google: 'gemini-2.5-flash',
};

export const openFake = (
  { core }: InstalledEvals,
  server: Pick<FakeModelServer, 'url'>,
  provider: Provider,
  options: object = {},
) =>
  core.openModel({
    provider,
    model: MODELS[provider],
    apiKey: 'a key of tests',
    baseUrl: provider.startsWith('openai') ? `${server.url}/v1` : server.url,
    ...options,
  });

/** Runs with a fake model behind HTTP and closes it. */
export async function withServer<Result>(
  { fakeModel }: InstalledEvals,
  options: FakeModelOptions,
  use: (server: FakeModelServer) => Promise<Result>,
): Promise<Result> {
  const server = await fakeModel.startFakeModelServer(options);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}
