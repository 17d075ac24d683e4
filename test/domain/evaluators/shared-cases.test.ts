import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import type { ExactJson, ExactJsonObject } from '../../../src/base/exact-json.ts';
import { expectPresent } from '../../../src/base/expect-present.ts';
import { parseExactJson } from '../../../src/base/parse-exact-json.ts';
import { type JudgeExample, judgePrompt } from '../../../src/model/evaluators/judge-file.ts';
import { createRegexes } from '../../../src/sandbox/regex/thread-regexes.ts';
import { agreementOfLabels } from '../../../src/domain/evaluators/agreement/agreement-measures.ts';
import { kappaInterval } from '../../../src/domain/evaluators/calibration/kappa-interval.ts';
import { runBuiltIn } from '../../../src/domain/evaluators/run/built-in/run-built-in.ts';
import {
  bootstrapInterval,
  pairedShareInterval,
  wilsonInterval,
} from '../../../src/domain/experiments/comparison/statistics/intervals.ts';
import { describeDifference } from '../../../src/domain/experiments/comparison/statistics/paired-difference.ts';
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

/** Arguments of all statistics. Each has those of its function. */
interface Named {
  readonly successes: number;
  readonly wins: number;
  readonly losses: number;
  readonly count: number;
  readonly values: readonly number[];
  readonly differences: readonly number[];
  readonly seed: string;
  readonly replicates: number;
  readonly pairs: readonly (readonly [string, string])[];
  readonly direction: keyof typeof DIRECTIONS;
  readonly isBinary?: boolean;
  readonly bootstrapCountMax?: number;
}

const DIRECTIONS = { maximize: 1, minimize: -1, neutral: 0 } as const;

/** Statistics that the server has, too. */
const STATISTICS: Readonly<Record<string, (values: Named) => unknown>> = {
  wilsonInterval: ({ successes, count }) => wilsonInterval(successes, count) ?? null,
  pairedShareInterval: ({ wins, losses, count }) => pairedShareInterval(wins, losses, count) ?? null,
  bootstrapInterval: ({ values, seed, replicates }) =>
    bootstrapInterval(Float64Array.from(values), seed, replicates) ?? null,
  cohenKappa: ({ pairs }) => {
    const { kappa = null, agreedCount, count } = expectPresent(agreementOfLabels(pairs), 'pairs');
    return { low: null, high: null, ...kappaInterval(pairs), kappa, agreed: agreedCount, count };
  },
  describeDifference({ differences, direction, isBinary = false, seed, bootstrapCountMax = 2_000 }) {
    const options = { direction: DIRECTIONS[direction], isBinary, seed, bootstrapCountMax };
    const found = describeDifference(Float64Array.from(differences), options);
    return { ...found, method: found.method.toLowerCase(), verdict: found.verdict.toLowerCase() };
  },
};

/** Numbers may differ by a rounding error. */
function assertClose(actual: unknown, expected: unknown, title: string): void {
  if (typeof expected === 'number' && typeof actual === 'number') {
    assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.abs(expected) + 1e-12, `${title}: ${actual}, not ${expected}`);
  } else if (typeof expected === 'object' && expected !== null) {
    assert.ok(typeof actual === 'object' && actual !== null, title);
    assert.deepEqual(Object.keys(actual).sort(), Object.keys(expected).sort(), title);
    for (const [name, value] of Object.entries(expected)) {
      assertClose(new Map(Object.entries(actual)).get(name), value, `${title} ${name}`);
    }
  } else assert.equal(actual, expected, title);
}

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
          const finding = await runBuiltIn({ regexes }, key, inputs, signal);
          return 'isMatch' in finding ? Number(finding.isMatch) : finding.distance;
        });
      }
    });
  }

  for (const [name, compute] of Object.entries(STATISTICS)) {
    test(`hold for the statistic ${name}`, () => {
      for (const each of casesOf('statistics.json', name)) {
        assertClose(
          compute(each.arguments as unknown as Named),
          each.expected,
          JSON.stringify(each.arguments).slice(0, 200),
        );
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
