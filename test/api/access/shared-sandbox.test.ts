import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask } from './author-server.ts';
import { openSignedInServer } from './signed-in-server.ts';

const PREVIEW = `mutation ($input: EvaluatorPreviewsInput!) { evaluatorPreviews(input: $input) { results {
  error annotation { label } } } }`;
const ENDLESS = 'function evaluate() { while (true); }';

const toInput = (sourceCode: string) => ({
  previews: [
    {
      evaluator: { inlineCodeEvaluator: { name: 'code', language: 'TYPESCRIPT', sourceCode, outputConfigs: [] } },
      context: {},
      inputMapping: { literalMapping: {}, pathMapping: {} },
    },
  ],
});

for (const [what, greedy] of [
  ['one member', { ben: 3 }],
  ['two members', { ben: 1, cleo: 1 }],
] as const) {
  test(`the endless programs of ${what} do not keep the previews of another one`, async (t) => {
    const server = await openSignedInServer(t);
    const ann = server.as({ bearer: (await server.newUser('ann', 'MEMBER')).access });
    const stopping = new AbortController();
    const ended: string[] = [];
    const running: Promise<unknown>[] = [];
    for (const [name, requestCount] of Object.entries(greedy)) {
      const { access } = await server.newUser(name, 'MEMBER');
      for (let request = 0; request < requestCount; request++) {
        const preview = fetch(`${server.address}/graphql`, {
          method: 'POST',
          headers: { authorization: `Bearer ${access}`, 'content-type': 'application/json' },
          body: JSON.stringify({ query: PREVIEW, variables: { input: toInput(ENDLESS) } }),
          signal: stopping.signal,
        });
        running.push(preview.then(() => ended.push(name)).catch(() => {}));
      }
    }

    const labels: string[] = [];
    for (let preview = 0; preview < 3; preview++) {
      const source = `function evaluate() { return "${preview}" }`;
      const { evaluatorPreviews } = await ask(ann, PREVIEW, { input: toInput(source) });
      labels.push(evaluatorPreviews.results[0].annotation.label);
    }

    assert.deepEqual(labels, ['0', '1', '2']);
    assert.deepEqual(ended, [], 'the endless programs still run');
    stopping.abort();
    await Promise.all(running);
  });
}
