import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { filesBelow, ROOT, readText, trackedFiles } from './repository.ts';

type Replacement = readonly [word: RegExp, instead: string];

/** Word to avoid → words to use instead. Identifiers are split at capitals: `inTurns` counts as "in turns". */
const TERMS: readonly Replacement[] = [
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
  [/\bsought\b/, 'searched, requested'],
  [/\bwhoever\b|\bnobody\b|\bsomebody\b|\beverybody\b/, 'client, user, operator, caller'],
  [/\bmeanwhile\b/, 'while …, if a commit arrives'],
  [/\bliest?\b|\blies\b/, 'is stored, is'],
];

/** Everyday words in the sense of a technical term. */
const EVERYDAY_WORDS: readonly Replacement[] = [
  [/\bplac(e|es|ed|ing)\b/, 'position, row ref, offset, instead of, attach'],
  [/\bask(s|ed|ing)?\b/, 'query, request, prefetch'],
  [/\banswer(s|ed|ing)?\b/, 'response, result, respond'],
  [/\bwanted\b/, 'requested, expected'],
  [/\bkept\b/, 'stored, cached, retained'],
  [/\b(say|says|said|saying)\b/, 'state, report, return'],
  [/\b(tell|tells|told|telling)\b/, 'notify, report, show'],
];

/** Lines that use a word in another sense: the file, a text of exactly one of its lines with such a word, and the reason. */
const EXCEPTIONS: readonly (readonly [path: string, text: string, reason: string])[] = [
  ['docs/evaluators.md', '**Ask the model for an', 'a label of the interface'],
  ['src/api/otlp/trace-routes.ts', 'set_aside_count:', 'a public field of the ingest status'],
  ['src/api/rest/chat/chat-response.ts', "['refusal', 'content_filter']", 'a reason of Anthropic to stop'],
  ['src/api/rest/spans/span-imports.ts', 'refused_span_count: Type', 'a public field of the span import'],
  ['src/api/rest/spans/span-imports.ts', 'refusals: Type.Array(', 'a public field of the span import'],
  ['src/api/rest/spans/span-imports.ts', 'refused_span_count: done', 'a public field of the span import'],
  ['src/api/rest/spans/span-imports.ts', 'refusals: done.rejections', 'a public field of the span import'],
  ['src/api/rest/spans/spans.ts', 'RefusedSpans', 'a public schema name of the OpenAPI document'],
  ['src/llm/openai/chat/message-fields.ts', 'content, refusal', 'a field of the messages of OpenAI'],
  ['src/llm/openai/chat/message-fields.ts', 'asText(refusal)', 'a field of the messages of OpenAI'],
  ['src/llm/openai/responses/event-reader.ts', 'response.refusal.delta', 'an event of OpenAI'],
  ['src/llm/openai/responses/read-response.ts', 'asText(part.refusal)', 'a field of the messages of OpenAI'],
  ['src/metadata-store/embedded/embedded-account.ts', 'else `nobody`', 'the name of a system user'],
  ['src/metadata-store/embedded/embedded-account.ts', "named('nobody')", 'the name of a system user'],
  ['src/model/errors.ts', 'SPANS_REFUSED:', 'a public error code'],
  ['src/model/evaluators/judge-file.ts', 'The texts to judge', 'an instruction to an LLM judge'],
  ['src/otlp/dialects/read-parts.ts', "'refusal', 'text_delta'", 'a kind of a part of a message'],
  ['src/otlp/dialects/read-parts.ts', "'content', 'refusal'", 'a field of a part of a message'],
  ['src/otlp/protobuf/wire-check.ts', 'page faults', 'the term of operating systems'],
  ['src/server/http/http-metrics.ts', 'no fault of the caller', 'fault in the sense of guilt'],
  ['src/server/http/stall-watch.ts', 'the reader is not at fault', 'fault in the sense of guilt'],
  ['src/server/pages/web-files.ts', 'forgot-password', 'a path that public clients know'],
  ['src/span-store/duckdb/open-database.ts', '.set-aside-', 'names of files that older versions stored'],
  ['src/web/pages/settings/IngestPage.tsx', 'readonly set_aside_count', 'a public field of the ingest status'],
  ['src/web/pages/settings/IngestPage.tsx', 'status.set_aside_count > 0', 'a public field of the ingest status'],
  [
    'src/web/pages/settings/IngestPage.tsx',
    'formatCount(status.set_aside_count)',
    'a public field of the ingest status',
  ],
  ['src/web/sign-in/password-pages.ts', 'forgot-password', 'a path that public clients know'],
  ['src/web/sign-in/return-path.ts', 'forgot-password', 'a path that public clients know'],
  ['src/web/sign-in/sign-in-forms.ts', 'forgot-password', 'a path that public clients know'],
  ['src/web/sign-in/start.ts', 'forgot-password', 'a path that public clients know'],
  ['test/web/pages/trace/neighbours.test.ts', 'opens a trace with its neighbors', 'the name of a stored preference'],
];

/** Folders whose code still uses some of the terms. Remove a folder when it is renamed. */
const TERMS_PENDING: readonly string[] = [
  'clients/python/client',
  'clients/python/evals',
  'clients/typescript/cli',
  'clients/typescript/client',
  'clients/typescript/evals',
  'clients/typescript/mcp',
  'clients/typescript/tracing',
];

/** Folders whose code, or titles of tests, still use everyday words. Remove a folder when it is renamed. */
const EVERYDAY_WORDS_PENDING: readonly string[] = [
  ...TERMS_PENDING,
  'src/api/graphql',
  'src/api/rest',
  'src/domain',
  'src/ingest',
  'src/metadata-store',
  'src/model/limits',
  'src/otlp',
  'src/reconcile.ts',
  'src/server/http',
  'src/span-store',
  'src/web',
  'test/api/access/keys.test.ts',
  'test/api/graphql/annotations.test.ts',
  'test/api/graphql/console.test.ts',
  'test/api/graphql/costs.test.ts',
  'test/api/graphql/llm-evaluators.test.ts',
  'test/api/graphql/request-bounds.test.ts',
  'test/api/graphql/tracing.test.ts',
  'test/api/rest/dataset-files.test.ts',
  'test/api/rest/span-files.test.ts',
  'test/api/rest/spans.test.ts',
  'test/api/rest/traces-and-sessions.test.ts',
  'test/clients/evaluations/bias.test.ts',
  'test/clients/evaluations/statistics.test.ts',
  'test/clients/typescript-client.test.ts',
  'test/clients/typescript-evals.test.ts',
  'test/clients/typescript-experiments.ts',
  'test/clients/typescript-prompts.ts',
  'test/contracts/span-store.contract.ts',
  'test/domain/create-spans.test.ts',
  'test/domain/experiments/comparison/paired-difference.test.ts',
  'test/domain/experiments/comparison/sentence.test.ts',
  'test/identity/oidc/sign-in.test.ts',
  'test/llm/openai/openai-requests.test.ts',
  'test/otlp/attributes/attributes.test.ts',
  'test/web/dashboards/dashboards.test.ts',
  'test/web/dataset/experiments.test.ts',
  'test/web/evaluators/llm-form.test.ts',
  'test/web/pages/project/online.test.ts',
  'test/web/playground/playground.test.ts',
  'test/web/shown-values.test.ts',
];

const tracked =
  trackedFiles()?.filter(exists) ?? ['src', 'native-bindings', 'clients', 'test', 'docs'].flatMap(filesBelow);
const isCode = (path: string) =>
  /^(src|native-bindings|clients)\//.test(path) &&
  /\.(tsx?|py|graphql)$/.test(path) &&
  !/\/(generated|tests)\//.test(path);
/** Documents, without the changelog, which quotes earlier names. */
const isDocument = (path: string) =>
  ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'].includes(path) || /^docs\/.*\.md$/.test(path);
const isTest = (path: string) => /^test\/.*\.ts$/.test(path);

/** Paths and the lines of them that are checked. The path counts as a line. */
const checked: readonly (readonly [path: string, lines: readonly string[]])[] = tracked.flatMap(
  (path): [string, string[]][] => {
    if (isCode(path)) return [[path, [path, ...readText(path).split('\n')]]];
    if (isDocument(path)) return [[path, [path, ...withoutCode(readText(path)).split('\n')]]];
    return isTest(path) ? [[path, titlesOf(readText(path))]] : [];
  },
);

describe('words of the glossary', () => {
  test('are used by code, documents and titles of tests', () => {
    const pages = checked.filter(([path]) => !isBelow(TERMS_PENDING, path));

    assert.deepEqual(findWords(TERMS, pages), []);
  });

  test('are used instead of everyday words', () => {
    const pages = checked.filter(([path]) => !isBelow(EVERYDAY_WORDS_PENDING, path));

    assert.deepEqual(findWords(EVERYDAY_WORDS, pages), []);
  });

  test('have exceptions that match one line each', () => {
    const counts = EXCEPTIONS.map(([path, text]) => {
      const lines = checked.find(([name]) => name === path)?.[1] ?? [];
      return { path, text, count: lines.filter((line) => line.includes(text) && hasWord(line)).length };
    });

    assert.deepEqual(
      counts.filter(({ count }) => count !== 1),
      [],
    );
  });
});

test('no docstring starts with Of, By, As or Those', () => {
  const found = tracked
    .filter((path) => isCode(path) && !isBelow(TERMS_PENDING, path))
    .flatMap((path) =>
      [...readText(path).matchAll(/\/\*\*\s+(?:\* )?(?:Of|By|As|Those) .*/g)].map(([text]) => `${path}: ${text}`),
    );

  assert.deepEqual(found, []);
});

/** False for a file that is deleted but still in the index. */
function exists(path: string): boolean {
  return existsSync(join(ROOT, path));
}

/** Blocks and spans of code become empty: they quote names, commands and responses. */
function withoutCode(text: string): string {
  return text.replace(/```.*?```/gs, (block) => block.replace(/[^\n]/g, '')).replace(/`[^`\n]*`/g, '``');
}

/** Titles of `test` and `describe` calls. */
function titlesOf(code: string): string[] {
  return [...code.matchAll(/\b(?:test|describe)\(\s*('(?:[^'\\]|\\.)*'|"[^"]*"|`[^`]*`)/g)].map(([, title]) => title!);
}

function isBelow(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
}

/** Words to avoid, each with its file, its line and the words to use instead. */
function findWords(replacements: readonly Replacement[], pages: typeof checked): string[] {
  return pages.flatMap(([path, lines]) =>
    lines.flatMap((line, number) => {
      if (EXCEPTIONS.some(([exceptionPath, text]) => exceptionPath === path && line.includes(text))) return [];
      const words = toWords(line);
      return replacements
        .filter(([word]) => word.test(words))
        .map(([word, instead]) => `${path}:${number}: ${word.exec(words)?.[0]} → ${instead}`);
    }),
  );
}

function hasWord(line: string): boolean {
  const words = toWords(line);
  return [...TERMS, ...EVERYDAY_WORDS].some(([word]) => word.test(words));
}

/** Lower-case words of a line; identifiers and file names are split into their words. */
function toWords(line: string): string {
  return line
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]/g, ' ')
    .toLowerCase();
}
