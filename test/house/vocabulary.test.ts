import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { filesBelow, readText } from './repository.ts';

/** Code whose words and texts follow `docs/glossary.md`. */
const FOLDERS = ['src', 'native-bindings'];

/** Word to avoid → words to use instead. Identifiers are split at capitals: `inTurns` counts as "in turns". */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/\bfaces?\b/, 'API layer, transport, source'],
  [/\bdoors?\b/, 'API layer'],
  [/\bways? in\b/, 'ingest pipeline, ingest status'],
  [/\baids?\b|\bkept rows\b/, 'cache'],
  [/\bin turns?\b|\bturns? of the event loop\b/, 'yielding, write queue, iteration of the event loop'],
  [/\bforg[eo]ts?\b/, 'invalidate, evict'],
  [/\btell changes\b/, 'notify, changeset'],
  [/\blanes?\b|\bgive back\b/, 'secondary connection, release'],
  [/\bdoomed\b|\btaken traces\b/, 'to delete'],
  // A judge is the LLM judge of an evaluator.
  [/\bjudged\b|\bjudging\b|\bto judge\b/, 'annotate'],
  [/\banew\b/, 'recompute, reopen, retry, again'],
  [/\bwish(es|ed)?\b/, 'request'],
  [/\bship(s|ped|ping)?\b/, 'built-in, sync'],
  [/\bfindings\b|\bfaults?\b/, 'ValidationIssue, context'],
  [/\brefus(e|es|ed|ing|als?)\b/, 'reject'],
  [/\bset aside\b/, 'quarantine'],
  [/\bwhat came\b/, 'input, received value'],
  [/\bleast and greatest\b|\bwithout rings\b/, 'minMax, breakCycles'],
  [/\bfilters? of blocks?\b/, 'block filter'],
  [/\btwins?\b/, 'fallback'],
  [/\brooms?\b/, 'free space'],
  [/\bunfold(s|ed|ing)?\b/, 'expand'],
  [/\bsought\b/, 'wanted, searched'],
  [/\bwhoever\b|\bnobody\b|\bsomebody\b|\beverybody\b/, 'client, user, operator, caller'],
  [/\bmeanwhile\b/, 'while …, if a commit arrives'],
  [/\bliest?\b|\blies\b/, 'is stored, is'],
];

/** Lines that use a word in another sense, by a text of the line and the reason. */
const EXCEPTIONS: readonly (readonly [text: string, reason: string])[] = [
  ['forgot-password', 'a path that public clients know'],
  ['page faults', 'the term of operating systems'],
  ['no fault of the caller', 'fault in the sense of guilt'],
  ['the reader is not at fault', 'fault in the sense of guilt'],
  ['SPANS_REFUSED:', 'a public error code'],
  ['set_aside_count', 'a public field of the ingest status'],
  ['ShippedEvaluator', 'a type that several folders use, which still has the word'],
  ['SPAN_IMPORT_REFUSAL_COUNT_MAX', 'a limit that a public field of the import is named like'],
  ['write-twins', 'a folder of tests'],
  ['`correctness`, `answer_relevance`', 'the line has the public name of a judge'],
  ['The texts to judge', 'an instruction to an LLM judge'],
  ["name: 'refusal'", 'the public name of a template'],
  ['it declines, deflects', 'the line has a public label of a template'],
  ['refused_span_count', 'a public field of the span import'],
  ['refusals: Type.Array(', 'a public field of the span import'],
  ['refusals: done.rejections', 'a public field of the span import'],
  ['RefusedSpans', 'a public schema name of the OpenAPI document'],
  ['else `nobody`', 'the name of a system user'],
  ['numbered(65_534))', 'the line has the name of a system user'],
  ['FAULT_', 'limits of the validation of REST bodies, which still has the word'],
  ['content, refusal', 'a field of the messages of OpenAI'],
  ['asText(refusal)', 'a field of the messages of OpenAI'],
  ['asText(part.refusal)', 'a field of the messages of OpenAI'],
  ['response.refusal.delta', 'an event of OpenAI'],
  ["['refusal', 'content_filter']", 'a reason of Anthropic to stop'],
  ['.set-aside-', 'names of files that older versions stored'],
];

const files = FOLDERS.flatMap(filesBelow).filter(
  (path) => /\.(tsx?|graphql)$/.test(path) && !path.includes('/generated/'),
);

/** Documents, without the changelog, which quotes earlier names. */
const documents = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', ...filesBelow('docs')].filter(
  (path) => path.endsWith('.md'),
);

describe('the code of the product', () => {
  test('uses the words of the glossary', () => {
    assert.deepEqual(
      files.flatMap((path) => findWords(path, [path, ...readText(path).split('\n')])),
      [],
    );
  });

  test('has no docstring that starts with Of, By, As or Those', () => {
    const found = files.flatMap((path) =>
      [...readText(path).matchAll(/\/\*\*\s+(?:\* )?(?:Of|By|As|Those) .*/g)].map(([text]) => `${path}: ${text}`),
    );

    assert.deepEqual(found, []);
  });
});

describe('documents', () => {
  for (const path of documents) {
    test(`use the words of the glossary: ${path}`, () => {
      assert.deepEqual(findWords(path, [path, ...readText(path).split('\n')]), []);
    });
  }
});

describe('titles of tests', () => {
  test('use the words of the glossary', () => {
    const tests = filesBelow('test').filter((path) => path.endsWith('.ts'));

    assert.deepEqual(
      tests.flatMap((path) => findWords(path, titlesOf(readText(path)))),
      [],
    );
  });
});

/** Titles of `test` and `describe` calls. */
const titlesOf = (code: string): string[] =>
  [...code.matchAll(/\b(?:test|describe)\(\s*('(?:[^'\\]|\\.)*'|"[^"]*"|`[^`]*`)/g)].map(([, title]) => title!);

/** Words to avoid in the lines of a file, each with its line and the words to use instead. */
const findWords = (path: string, lines: readonly string[]): string[] =>
  lines.flatMap((line, number) => {
    if (EXCEPTIONS.some(([text]) => line.includes(text))) return [];
    const words = toWords(line);
    return REPLACEMENTS.filter(([word]) => word.test(words)).map(
      ([word, instead]) => `${path}:${number}: ${word.exec(words)?.[0]} → ${instead}`,
    );
  });

/** Lower-case words of a line; identifiers and file names are split into their words. */
const toWords = (line: string): string =>
  line
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]/g, ' ')
    .toLowerCase();
