import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SPAN_KINDS } from '../../src/semconv/span-kinds.ts';
import { flattenAttributes } from '../../src/model/spans/attributes.ts';
import { readNullableText, readText } from '../../src/columns/read-text.ts';
import type { NullableTextColumn } from '../../src/columns/span-columns.ts';
import { decodeColumns } from '../otlp/decode-one.ts';

/** The recordings are beside the source of this test, also if it runs compiled. */
const FOLDER = fileURLToPath(new URL('.', import.meta.url)).replace('/dist/test/', '/test/');
const libraries = readdirSync(FOLDER).filter((name) => existsSync(join(FOLDER, name, 'trace.binpb')));

type Facts = Record<string, unknown>;

/** Written by hand from what the program does. Facts that a span does not state are not compared. */
interface Expectation {
  /** As users know it. */
  readonly library: string;
  /** What the library leaves out of its spans. */
  readonly notSent: readonly string[];
  readonly spans: readonly (Facts & { readonly name: string })[];
}

const readExpectation = (library: string): Expectation =>
  JSON.parse(readFileSync(join(FOLDER, library, 'expected.json'), 'utf8'));

for (const library of libraries) {
  describe(library, () => {
    const sent = decode(readFileSync(join(FOLDER, library, 'trace.binpb')));
    const { spans: expected } = readExpectation(library);
    const seen = new Set<Facts>();

    for (const facts of expected) {
      const span = sent.find((one) => one.name === facts.name && !seen.has(one));
      if (span !== undefined) seen.add(span);

      test(`${facts.name}: ${facts.status === 'error' ? 'failed' : (facts.output ?? facts.kind)}`, () => {
        const actual = Object.fromEntries(Object.keys(facts).map((name) => [name, span?.[name]]));

        assert.deepEqual(actual, facts);
      });
    }

    test('has no other model call, which would count its tokens twice', () => {
      const others = sent.filter((span) => !seen.has(span) && (span.kind === 'LLM' || 'tokens' in span));

      assert.deepEqual(others, []);
    });

    test('has no span that could not be translated', () => {
      assert.deepEqual(
        sent.filter((span) => 'translationError' in span),
        [],
      );
    });
  });
}

test('docs/connect.md has each recorded library, and what it does not send', () => {
  const page = readFileSync(join(FOLDER, '../../docs/connect.md'), 'utf8');
  const sections = page
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      library: section.slice(0, section.indexOf('\n')),
      notSent: /^Not sent: (.*)\.$/m.exec(section)?.[1],
    }));

  const recorded = libraries.map((library) => {
    const { library: title, notSent } = readExpectation(library);
    return { library: title, notSent: notSent.join('; ') || 'nothing of what was recorded' };
  });

  const byLibrary = (one: { library: string }, other: { library: string }) => (one.library < other.library ? -1 : 1);
  assert.deepEqual(sections.sort(byLibrary), recorded.sort(byLibrary));
});

/** The spans of a recording by their start, with what an expectation may state of them. */
function decode(body: Uint8Array): Facts[] {
  const columns = decodeColumns(body);
  const rows = Array.from({ length: columns.rowCount }, (_, row) => row);
  rows.sort((one, other) => Number((columns.startTimeUnixNano[one] ?? 0n) - (columns.startTimeUnixNano[other] ?? 0n)));
  return rows.map((row) => {
    const parts = [readText(columns.attributes, row), readNullableText(columns.longAttributes, row) ?? '{}'];
    const flat = new Map([...flattenAttributes(parts)].map(([key, value]) => [key, JSON.parse(value) as unknown]));
    const text = (column: NullableTextColumn) => readNullableText(column, row)?.trim() ?? undefined;
    const input = text(columns.inputValue) ?? flat.get('input.value');
    const output = text(columns.outputValue) ?? flat.get('output.value');
    return withoutUndefined({
      name: readText(columns.name, row),
      kind: SPAN_KINDS[columns.spanKind[row] ?? 0],
      status: columns.statusCode[row] === 2 ? 'error' : 'ok',
      model: text(columns.modelName),
      provider: text(columns.provider),
      input: normalized(input),
      output: normalized(output),
      inputMessages: messagesOf(flat, 'llm.input_messages'),
      outputMessages: messagesOf(flat, 'llm.output_messages'),
      tools: toolsOf(flat),
      tool: flat.get('tool.name'),
      toolParameters: parametersOf(flat),
      agent: flat.get('agent.name'),
      tokens: tokensOf(flat),
      cost: flat.get('llm.cost.total'),
      finishReason: flat.get('llm.finish_reason'),
      isTimed: flat.has('llm.time_to_first_token_ms'),
      session: text(columns.sessionId),
      user: text(columns.userId),
      tier: (JSON.parse(text(columns.metadata) ?? '{}') as Facts).tier,
      tags: flat.get('tag.tags'),
      document: flat.get('retrieval.documents.0.document.content'),
      translationError: flat.get('spandrel.translation_error'),
    });
  });
}

function withoutUndefined(facts: Facts): Facts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

/** JSON without its white space, which depends on the language of the library. */
function normalized(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  return JSON.stringify(JSON.parse(value));
}

/** Each message as one text: `user: Hi`, `assistant: get_weather({"city":"Paris"})`. */
function messagesOf(flat: ReadonlyMap<string, unknown>, list: string): string[] | undefined {
  const messages: string[] = [];
  for (let i = 0; flat.has(`${list}.${i}.message.role`); i++) {
    const of = (key: string) => flat.get(`${list}.${i}.message.${key}`);
    const contents: unknown[] = [of('content') ?? ''];
    for (let k = 0; of(`contents.${k}.message_content.type`) !== undefined; k++) {
      contents.push(of(`contents.${k}.message_content.text`) ?? of(`contents.${k}.message_content.type`));
    }
    for (let k = 0; of(`tool_calls.${k}.tool_call.function.name`) !== undefined; k++) {
      const at = `tool_calls.${k}.tool_call.function`;
      contents.push(`${of(`${at}.name`)}(${normalized(of(`${at}.arguments`))})`);
    }
    messages.push(`${of('role')}: ${contents.join('').trim()}`);
  }
  return messages.length === 0 ? undefined : messages;
}

/** Each tool by its name and the names of its parameters. */
function toolsOf(flat: ReadonlyMap<string, unknown>): string[] | undefined {
  const tools: string[] = [];
  for (let i = 0; flat.has(`llm.tools.${i}.tool.json_schema`); i++) {
    const { function: of } = JSON.parse(String(flat.get(`llm.tools.${i}.tool.json_schema`)));
    tools.push(`${of.name}(${Object.keys(of.parameters?.properties ?? {}).join()})`);
  }
  return tools.length === 0 ? undefined : tools;
}

function parametersOf(flat: ReadonlyMap<string, unknown>): Facts | undefined {
  const prefix = 'tool.parameters.';
  const found = [...flat]
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, value]) => [key.slice(prefix.length), value]);
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function tokensOf(flat: ReadonlyMap<string, unknown>): Facts | undefined {
  const count = (key: string) => flat.get(`llm.token_count.${key}`);
  const tokens = withoutUndefined({
    prompt: count('prompt'),
    completion: count('completion'),
    total: count('total'),
    cacheRead: count('prompt_details.cache_read'),
    reasoning: count('completion_details.reasoning'),
  });
  return Object.keys(tokens).length === 0 ? undefined : tokens;
}
