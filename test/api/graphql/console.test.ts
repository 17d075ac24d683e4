import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { introspectionFromSchema } from 'graphql';
import { consolePage } from '../../../src/api/graphql/console-page.ts';
import { createSchema } from '../../../src/api/graphql/schema.ts';
import { openGraphqlServer } from './graphql-server.ts';

interface Suggestion {
  readonly name: string;
  readonly type: string;
}

describe('the GraphQL console', () => {
  test('is what a browser gets that opens the address', async (t) => {
    const { address } = await openGraphqlServer(t);
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';

    const page = await fetch(`${address}/graphql`, { headers: { accept } });
    const answer = await fetch(`${address}/graphql?query={promptCount:__typename}`, { headers: { accept } });

    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(await page.text(), /<textarea id="query"/);
    assert.deepEqual(await answer.json(), { data: { promptCount: 'Query' } });
  });

  test('asks this server alone, and loads nothing', async (t) => {
    const { address } = await openGraphqlServer(t);

    const page = await fetch(`${address}/graphql`, { headers: { accept: 'text/html' } });

    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; /);
    assert.match(policy, /; connect-src 'self';/);
    const text = await page.text();
    assert.doesNotMatch(text, /(?:src|href)=(?!"\.\/")|url\(|@import|https?:\/\//);
  });

  describe('suggests', () => {
    let suggest: (text: string) => { readonly word: string; readonly list: readonly Suggestion[] };
    before(() => {
      const { __schema } = introspectionFromSchema(createSchema());
      const types = new Map(__schema.types.map((type) => [type.name, type]));
      const { script } = consolePage();
      // The part of the script that knows no page comes first.
      const context = { schema: { ...__schema, types } };
      const pure = script.slice(0, script.indexOf('// The console page.'));
      const ask = runInNewContext(`${pure}; (text) => suggest(schema, text)`, context);
      suggest = (text) => JSON.parse(JSON.stringify(ask(text)));
    });
    const names = (text: string) => suggest(text).list.map(({ name }) => name);

    for (const { text, expected } of [
      { text: 'q', expected: ['query'] },
      { text: '{ projectC', expected: ['projectCount'] },
      { text: 'query A($x: Int) { projects(first: $x) { edges { nod', expected: ['node'] },
      { text: '{ projects { edges { node { alias: descr', expected: ['description'] },
      { text: '{ projects(fir', expected: ['first'] },
      { text: '{ projects(sort: { c', expected: ['col'] },
      { text: '{ projects(sort: { col: ', expected: ['name', 'endTime'] },
      { text: '{ projects(sort: { col: name, dir: d', expected: ['desc'] },
      { text: '{ node(id: "}{") { ... on PromptChatT', expected: ['PromptChatTemplate'] },
      { text: '{ node(id: "a") { ... on Prompt { version { modelN', expected: ['modelName'] },
      { text: 'fragment F on Project { recordC', expected: ['recordCount'] },
      { text: 'mutation { deleteProm', expected: ['deletePrompt', 'deletePromptVersionTag', 'deletePromptLabels'] },
      { text: '{ project # projectC', expected: [] },
      { text: '{ node(id: "project', expected: [] },
      { text: '{ nowhere { ', expected: ['__typename'] },
      { text: '{ a } } } ) { ] projectCou', expected: ['projectCount'] },
    ]) {
      test(`${expected.join(', ') || 'nothing'} after ${text}`, () => assert.deepEqual(names(text), expected));
    }

    test('what a field is, and keeps the word that it completes', () => {
      assert.deepEqual(suggest('{ projectC'), {
        word: 'projectC',
        list: [{ name: 'projectCount', type: 'Int!', description: null }],
      });
    });
  });
});
