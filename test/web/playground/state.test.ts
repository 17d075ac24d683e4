import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { fromVersion } from '../../../src/web/components/prompt/variant/from-version.ts';
import { convertParameters } from '../../../src/web/components/prompt/variant/parameters.ts';
import { convertTools, printTool, readTool } from '../../../src/web/components/prompt/variant/tools.ts';
import { toVariables, variablesOf } from '../../../src/web/components/prompt/variant/variables.ts';
import { newMessage, newVariant, type Variant } from '../../../src/web/components/prompt/variant/variant.ts';
import { isUnsaved, problemsOf, toVersionInput } from '../../../src/web/components/prompt/variant/version-input.ts';
import { toVersionContent } from '../../../src/web/components/prompt/version-content.ts';
import { readAddress, writeAddress } from '../../../src/web/pages/playground/state/address.ts';
import { missingIn, newCase, valuesOf, withText } from '../../../src/web/pages/playground/state/cases.ts';
import { changeDraft, draftOf, isDraft, newDraft } from '../../../src/web/pages/playground/state/draft.ts';
import { readSharedDraft, toSharedPath } from '../../../src/web/pages/playground/state/shared-draft.ts';
import { readDraft, storeDraft } from '../../../src/web/pages/playground/state/stored-drafts.ts';

const withTexts = (format: Variant['format'], ...texts: string[]): Variant => ({
  ...newVariant(),
  format,
  messages: texts.map((text) => newMessage('user', text)),
});
const FAMILIES = ['openai', 'anthropic', 'google', 'aws'] as const;

describe('variables of a template', () => {
  test('are found in the order of their messages, and those of items are left out', () => {
    const variant = withTexts(
      'MUSTACHE',
      '{{a}} {{#docs}}{{title}}{{/docs}}{{^docs}}{{none}}{{/docs}}',
      '{{b.c}} {{a}}',
    );
    assert.deepEqual(
      variablesOf(variant).map(({ name, isSection, isRequired }) => [name, isSection, isRequired]),
      [
        ['a', false, true],
        ['docs', true, true],
        ['none', false, false],
        ['b.c', false, true],
      ],
    );
    assert.deepEqual(
      variablesOf(withTexts('F_STRING', '{{no}} {yes} {a.b}')).map(({ name }) => name),
      ['yes', 'a.b'],
    );
    assert.deepEqual(variablesOf(withTexts('NONE', '{{a}} {b}')), []);
  });

  test('get typed texts; sections get JSON, dots make fields, and no name reaches a prototype', () => {
    const variant = withTexts('MUSTACHE', '{{#docs}}x{{/docs}}{{user.name}}{{user.age}}{{__proto__}}{{n}}');
    const row = [
      ['docs', '[{"a":1}]'],
      ['user.name', 'Ada'],
      ['user.age', '36'],
      ['__proto__', 'x'],
    ].reduce((before, [name, text]) => withText(before, name!, text!), newCase());
    const values = toVariables(variablesOf(variant), row.texts);
    assert.equal(JSON.stringify(values), '{"docs":[{"a":1}],"user":{"name":"Ada","age":"36"},"__proto__":"x"}');
    assert.deepEqual(missingIn({ type: 'typed', ...row }, variablesOf(variant), ''), ['n']);
  });

  test('of an example come from a path of its input, reference and metadata', () => {
    const example = {
      type: 'example',
      id: 'e',
      externalId: null,
      input: { question: 'why' },
      reference: { answer: 'so' },
      metadata: {},
      splits: [],
    } as const;
    const variables = variablesOf(withTexts('MUSTACHE', '{{question}}'));
    assert.deepEqual(valuesOf(example, variables, 'input'), { question: 'why' });
    assert.deepEqual(missingIn(example, variables, 'reference'), ['question']);
    assert.deepEqual(missingIn(example, variablesOf(withTexts('MUSTACHE', '{{reference.answer}}')), ''), []);
    assert.deepEqual(valuesOf(example, variables, 'input.question'), {}, 'a text has no variables');
  });
});

describe('a change of the provider', () => {
  const tool = { name: 'find', description: 'Finds', parameters: { type: 'object', properties: {} }, strict: true };

  test('keeps tools: each form is read back as the same function', () => {
    for (const family of FAMILIES) assert.deepEqual(readTool(printTool(tool, family)), tool, family);
    let tools: readonly { id: string; text: string }[] = [
      { id: '1', text: JSON.stringify(printTool(tool, 'openai')) },
      { id: '2', text: '{"type":"web_search_20250305","name":"web_search"}' },
      { id: '3', text: '{"half' },
    ];
    for (const family of [...FAMILIES, 'openai'] as const) tools = convertTools(tools, family);
    assert.deepEqual(JSON.parse(tools[0]!.text), printTool(tool, 'openai'));
    assert.equal(tools[1]!.text, '{"type":"web_search_20250305","name":"web_search"}', 'a tool of the vendor stays');
    assert.equal(tools[2]!.text, '{"half', 'a text that is no JSON stays');
  });

  test('renames parameters and leaves out those that the vendor lacks', () => {
    const openai = { temperature: 0.5, max_completion_tokens: 9, stop: ['x'], seed: 1 };
    assert.deepEqual(convertParameters(openai, 'openai', 'anthropic'), {
      temperature: 0.5,
      max_tokens: 9,
      stop_sequences: ['x'],
    });
    assert.deepEqual(convertParameters({ max_tokens: 5 }, 'aws', 'openai'), { max_completion_tokens: 5 });
  });
});

describe('a stored version', () => {
  const content = toVersionContent({
    model_provider: 'ANTHROPIC',
    model_name: 'claude-sonnet-4',
    template_format: 'MUSTACHE',
    template: {
      type: 'chat',
      messages: [
        { role: 'developer', content: 'Rules' },
        {
          role: 'user',
          content: [
            { type: 'text', text: '{{q}}' },
            { type: 'image', image: { url: 'https://x/y.png' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            {
              type: 'tool_call',
              tool_call_id: 'c1',
              tool_call: { type: 'function', name: 'find', arguments: '{"a":1}' },
            },
          ],
        },
        { role: 'tool', content: [{ type: 'tool_result', tool_call_id: 'c1', tool_result: { ok: true } }] },
      ],
    },
    invocation_parameters: { type: 'anthropic', anthropic: { max_tokens: 5, extra_body: { metadata: { a: 1 } } } },
    tools: {
      type: 'tools',
      tools: [{ type: 'function', function: { name: 'find', parameters: { type: 'object' } } }],
      tool_choice: { type: 'specific_function', function_name: 'find' },
    },
    response_format: { type: 'json_schema', json_schema: { name: 'out', schema: { type: 'object' } } },
  });
  const source = { promptId: 'p', versionId: 'v', tagName: null, promptName: 'n', sequenceNumber: 1 };

  test('becomes a variant and the same content again', () => {
    const variant = fromVersion(content, null, source);
    assert.deepEqual(problemsOf(variant), []);
    assert.equal(isUnsaved(variant), false);
    assert.deepEqual(toVersionInput(variant), {
      templateFormat: 'MUSTACHE',
      template: {
        messages: [
          { role: 'SYSTEM', content: [{ text: { text: 'Rules' } }] },
          { role: 'USER', content: [{ text: { text: '{{q}}' } }, { image: { url: 'https://x/y.png' } }] },
          {
            role: 'AI',
            content: [{ toolCall: { toolCallId: 'c1', toolCall: { name: 'find', arguments: '{"a":1}' } } }],
          },
          { role: 'TOOL', content: [{ toolResult: { toolCallId: 'c1', result: '{\n  "ok": true\n}' } }] },
        ],
      },
      invocationParameters: { metadata: { a: 1 }, max_tokens: 5 },
      tools: {
        tools: [{ function: { name: 'find', parameters: { type: 'object' } } }],
        toolChoice: { functionName: 'find' },
      },
      responseFormat: { type: 'json_schema', jsonSchema: { name: 'out', schema: { type: 'object' } } },
      modelProvider: 'ANTHROPIC',
      modelName: 'claude-sonnet-4',
    });
    assert.equal(isUnsaved({ ...variant, messages: variant.messages.slice(1) }), true);
  });

  test('names what must be corrected before a run', () => {
    const variant = fromVersion(content, null, null);
    assert.deepEqual(
      problemsOf({
        ...variant,
        model: { ...variant.model, name: ' ' },
        tools: [{ id: 't', text: '[' }],
        responseFormat: '1',
      }),
      [
        'Choose a model.',
        'Tool 1 is not a JSON object.',
        'No tool has the name find, which the model must call.',
        'The response format is not a JSON object.',
      ],
    );
  });
});

describe('the address', () => {
  test('names prompts by position, where an empty text is absent, and the dataset with its splits', () => {
    const text =
      'promptId=a&promptVersionId=&promptTagName=prod&promptId=b&promptVersionId=v2&promptTagName=&datasetId=d&splitId=s&splitId=t';
    const address = readAddress(new URLSearchParams(text));
    assert.deepEqual(address.prompts, [
      { promptId: 'a', versionId: undefined, tagName: 'prod' },
      { promptId: 'b', versionId: 'v2', tagName: undefined },
    ]);
    assert.deepEqual([address.datasetId, address.splitIds], ['d', ['s', 't']]);
    const [first, second] = [newVariant(), newVariant()];
    const source = { versionId: 'v', promptName: 'n', sequenceNumber: 1, fingerprint: '' };
    const draft = draftOf(
      [
        { ...first, source: { ...source, promptId: 'a', tagName: 'prod' } },
        newVariant(),
        { ...second, source: { ...source, promptId: 'b', versionId: 'v2', tagName: null } },
      ],
      { type: 'dataset', datasetId: 'd', splitIds: ['s', 't'] },
    );
    assert.equal(`${writeAddress(draft)}`, text);
  });
});

describe('the draft', () => {
  test('has one to eight variants, and the pin moves when its variant is removed', () => {
    let draft = newDraft();
    for (let round = 0; round < 12; round++) {
      draft = changeDraft(draft, { type: 'copyVariant', id: draft.variants[0]!.id });
    }
    assert.equal(draft.variants.length, 8);
    assert.equal(new Set(draft.variants.map(({ id }) => id)).size, 8);
    assert.equal(new Set(draft.variants.flatMap(({ messages }) => messages.map(({ id }) => id))).size, 16);
    for (let round = 0; round < 12; round++) {
      draft = changeDraft(draft, { type: 'removeVariant', id: draft.pinnedId });
    }
    assert.deepEqual([draft.variants.length, draft.pinnedId], [1, draft.variants[0]!.id]);
  });

  test('is stored by its link, the newest first; other data is ignored', () => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (k: string, v: string) => void kept.set(k, v),
    };
    const drafts = Array.from({ length: 15 }, newDraft);
    for (const [index, draft] of drafts.entries()) assert.ok(storeDraft(storage, `key${index}`, draft));
    assert.deepEqual(readDraft(storage, undefined), drafts[14]);
    assert.deepEqual(readDraft(storage, 'key3'), drafts[3]);
    assert.equal(readDraft(storage, 'key2'), undefined, 'the oldest are dropped');
    const huge = changeDraft(drafts[0]!, {
      type: 'setVariant',
      id: drafts[0]!.pinnedId,
      variant: { ...drafts[0]!.variants[0]!, responseFormat: 'x'.repeat(2_000_000) },
    });
    assert.equal(storeDraft(storage, 'huge', huge), false, 'a draft that is too large says so');
    for (const each of [null, 1, {}, { variants: [] }, { ...newDraft(), source: { type: 'other' } }]) {
      assert.equal(isDraft(each), false, JSON.stringify(each));
    }
    kept.set('spandrel.playground.drafts', '{"no":"list"}');
    assert.equal(readDraft(storage, undefined), undefined);
  });

  test('travels in a link without addresses; links that were cut off or expand to more are ignored', async () => {
    const variant = { ...withTexts('MUSTACHE', 'Grüße an {{Ünal}} 🙂'), parameters: { temperature: 0.5 } };
    const draft = draftOf([
      { ...variant, model: { ...variant.model, connection: { baseUrl: 'https://elsewhere.example' } } },
    ]);
    const path = (await toSharedPath(draft, 'abc'))!;
    assert.match(path, /^\/playground\?shared=abc#draft=[\w-]+$/);
    const hash = path.slice(path.indexOf('#'));
    assert.deepEqual(await readSharedDraft(hash), { ...draft, variants: [variant] });
    for (const each of ['', '#draft=', hash.slice(0, -9), '#draft=%%', `#draft=${'A'.repeat(40_000)}`]) {
      assert.equal(await readSharedDraft(each), undefined, each.slice(0, 40));
    }
    const pack = (text: string) => `#draft=${deflateRawSync(text).toString('base64url')}`;
    const own = JSON.stringify({ ...draft });
    assert.ok(await readSharedDraft(pack(own)));
    const crafted = await readSharedDraft(pack(own));
    assert.deepEqual(crafted?.variants[0]?.model.connection, {}, 'a link of somebody else chooses no address for keys');
    assert.equal(await readSharedDraft(pack(`${own}${' '.repeat(2_000_000)}`)), undefined);
    const noise = Array.from({ length: 40_000 }, (_, index) => Math.sin(index).toString(36)).join('');
    assert.equal(await toSharedPath(draftOf([withTexts('NONE', noise)]), 'abc'), undefined, 'too long for a link');
  });
});
