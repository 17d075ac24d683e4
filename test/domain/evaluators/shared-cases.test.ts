import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import type { ExactJson, ExactJsonObject } from '../../../src/base/exact-json.ts';
import { parseExactJson } from '../../../src/base/parse-exact-json.ts';
import { type JudgeExample, judgePrompt } from '../../../src/model/evaluators/judge-file.ts';
import { createRegexes } from '../../../src/sandbox/regex/thread-regexes.ts';
import { runBuiltIn } from '../../../src/domain/evaluators/run/built-in/run-built-in.ts';
import { renderChatTemplate } from '../../../src/domain/prompts/render-template.ts';
import { readJudges } from '../../../src/read-judges.ts';

interface Case {
  readonly function: string;
  readonly arguments: Readonly<Record<string, never>>;
  readonly expected?: unknown;
  /** Text that the message contains. */
  readonly error?: string;
  /** Without it, a case is for the server and for the libraries. */
  readonly onlyIn?: readonly string[];
}

const FOLDER = new URL('../../../../test/fixtures/evaluations/', import.meta.url);
const casesOf = (file: string, name?: string): readonly Case[] => {
  const { cases } = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as { readonly cases: readonly Case[] };
  const chosen = cases.filter((each) => !each.onlyIn && (name === undefined || each.function === name));
  assert.ok(chosen.length > 0, `${file} has cases of ${name}`);
  return chosen;
};

const regexes = createRegexes();
after(() => regexes.close());
const { signal } = new AbortController();

/** Names of inputs of the built-in evaluators, where the libraries have others. */
const RULES: Readonly<Record<string, readonly [key: string, inputs: Readonly<Record<string, string>>]>> = {
  contains: ['contains', { caseSensitive: 'case_sensitive', requireAll: 'require_all' }],
  exactMatch: ['exact_match', { output: 'actual', caseSensitive: 'case_sensitive' }],
  matchesRegex: ['regex', { output: 'text', fullMatch: 'full_match' }],
  levenshtein: ['levenshtein_distance', { caseSensitive: 'case_sensitive' }],
  jsonDistance: ['json_distance', { parseStrings: 'parse_strings' }],
};

async function check({ expected, error, arguments: values }: Case, run: () => Promise<unknown>): Promise<void> {
  const title = JSON.stringify(values);
  if (error === undefined) assert.deepEqual(await run(), expected, title);
  else await assert.rejects(run, (thrown: Error) => thrown.message.includes(error), title);
}

describe('the cases that the evaluation libraries share', () => {
  for (const [name, [key, renamed]] of Object.entries(RULES)) {
    test(`hold for the built-in evaluator ${key}`, async () => {
      for (const each of casesOf('metrics.json', name)) {
        const named = Object.entries(each.arguments).map(([input, value]) => [renamed[input] ?? input, value]);
        const inputs = parseExactJson(JSON.stringify(Object.fromEntries(named)), { depthMax: 100 }) as ExactJsonObject;
        await check(each, async () => {
          const finding = await runBuiltIn({ regexes }, key, inputs, { signal, owner: '' });
          return 'isMatch' in finding ? Number(finding.isMatch) : finding.distance;
        });
      }
    });
  }

  test('hold for templates in Mustache', async () => {
    for (const each of casesOf('mustache.json')) {
      const { template, variables } = each.arguments as unknown as { template: string; variables: ExactJson };
      await check(each, async () => render(template, variables));
    }
  });

  test('hold for the messages of the judges', async () => {
    const judges = await readJudges();
    const named = new Set<string>();
    for (const each of casesOf('judge-messages.json')) {
      const { judge, values, examples } = each.arguments as unknown as {
        judge: string;
        values: ExactJsonObject;
        examples?: readonly JudgeExample[];
      };
      named.add(judge);
      const file = judges.find(({ name }) => name === judge);
      assert.ok(file, judge);
      const { messages } = renderChatTemplate(judgePrompt(examples ? { ...file, examples } : file), {
        format: 'MUSTACHE',
        variables: values,
      });
      const texts = messages.map(({ role, content }) => ({ role, content: textOf(content) }));
      assert.deepEqual(texts, each.expected);
    }
    assert.equal(named.size, judges.length);
  });
});

function render(text: string, variables: ExactJson): string | undefined {
  const { messages } = renderChatTemplate(
    { type: 'chat', messages: [{ role: 'user', content: [{ type: 'text', text }] }] },
    {
      format: 'MUSTACHE',
      variables: parseExactJson(JSON.stringify(variables), { depthMax: 100 }) as ExactJsonObject,
    },
  );
  return textOf(messages[0]?.content);
}

const textOf = (content: unknown): string | undefined =>
  (content as readonly { readonly text: string }[] | undefined)?.[0]?.text;
