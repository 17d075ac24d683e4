import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json } from '../../../src/semconv/read-open-inference.ts';
import {
  applyEvent,
  type Cell,
  type CellEvent,
  finishedCell,
  type ListedCell,
  queuedCell,
} from '../../../src/web/pages/playground/run/cell.ts';
import { CellStore } from '../../../src/web/pages/playground/run/cell-store.ts';
import { checkOutput } from '../../../src/web/pages/playground/run/check-schema.ts';
import { FigureCollector } from '../../../src/web/pages/playground/run/statistics.ts';

const facts = (over: object = {}): Cell['facts'] => ({
  spanNodeId: null,
  traceId: null,
  projectId: null,
  latencyMs: null,
  promptTokens: null,
  completionTokens: null,
  cost: null,
  runId: null,
  isCached: false,
  ...over,
});
const run = (...events: CellEvent[]): Cell => events.reduce(applyEvent, queuedCell('f'));
const text = (part: string, at = 0): CellEvent => ({ type: 'text', text: part, at });

describe('a cell', () => {
  test('collects text and tool calls by their IDs, and measures the time to the first piece', () => {
    const cell = run(
      { type: 'start', at: 100 },
      text('Hel', 140),
      text('lo', 150),
      { type: 'toolCall', id: 'a', name: 'find', arguments: '{"x"', at: 160 },
      { type: 'toolCall', id: 'b', name: 'sort', arguments: '{}', at: 160 },
      { type: 'toolCall', id: 'a', name: '', arguments: ':1}', at: 170 },
      { type: 'result', facts: facts({ latencyMs: 70 }) },
    );
    assert.deepEqual([cell.status, cell.text, cell.firstMs, cell.facts?.latencyMs], ['done', 'Hello', 40, 70]);
    assert.deepEqual(cell.toolCalls, [
      { id: 'a', name: 'find', arguments: '{"x":1}' },
      { id: 'b', name: 'sort', arguments: '{}' },
    ]);
  });

  test('has its first text within its latency, and none when the response is reused', () => {
    const events = [{ type: 'start', at: 0 } as const, text('Hel', 90), text('lo', 100)];
    assert.equal(run(...events).firstMs, 90);
    const firstOf = (over: object) => run(...events, { type: 'result', facts: facts(over) }).firstMs;
    assert.deepEqual([firstOf({ latencyMs: 60 }), firstOf({ latencyMs: 5 })], [50, 0]);
    assert.deepEqual([firstOf({}), firstOf({ latencyMs: 60, isCached: true })], [90, undefined]);
  });

  test('starts again after a restart, stays failed after the result that follows an error, and ignores pieces after a stop', () => {
    assert.equal(run(text('half'), { type: 'restart' }, text('whole')).text, 'whole');
    const failed = run(
      text('half'),
      { type: 'error', message: 'no', facts: undefined },
      { type: 'result', facts: facts({ traceId: 't' }) },
    );
    assert.deepEqual([failed.status, failed.error, failed.text, failed.facts?.traceId], ['error', 'no', 'half', 't']);
    const stopped = run(text('half'), { type: 'stop' }, text('more'), { type: 'result', facts: undefined });
    assert.deepEqual([stopped.status, stopped.text], ['stopped', 'half']);
  });
});

describe('the store of cells', () => {
  test('calls listeners of changed cells once per frame, and counts by variant', () => {
    const frames: (() => void)[] = [];
    const store = new CellStore((work) => void frames.push(work));
    const address = (caseId: string, variantId = 'v') => ({ variantId, caseId, repetition: 1 });
    const heard: string[] = [];
    for (const id of ['1', '2']) store.subscribe(address(id), () => heard.push(id));
    store.subscribeToVariant('v', () => heard.push('v'));
    for (const id of ['1', '2', '3']) store.set(address(id), queuedCell('f'));
    frames.shift()!();
    heard.length = 0;
    for (let round = 0; round < 100; round++) store.apply(address('1'), text('x'));
    assert.deepEqual([heard.length, frames.length], [0, 1]);
    frames.shift()!();
    assert.deepEqual(heard, ['1', 'v']);
    store.apply(address('2'), { type: 'error', message: 'no', facts: undefined });
    store.apply(address('unknown'), text('ignored'));
    assert.deepEqual(store.progressOf('v'), { total: 3, ended: 1, failed: 1, stopped: 0, running: 1, cached: 0 });
    store.stop('v');
    assert.deepEqual(store.progressOf('v'), { total: 3, ended: 3, failed: 1, stopped: 2, running: 0, cached: 0 });
    store.clear('v');
    assert.equal(store.get(address('1')), undefined);
    assert.equal(store.progressOf('v').total, 0);
  });
});

describe('figures of a variant', () => {
  const collect = (cells: Iterable<ListedCell>): FigureCollector => {
    const collector = new FigureCollector();
    for (const cell of cells) collector.add(cell);
    return collector;
  };

  test('are means with an interval by Student’s t', () => {
    const latencies = (values: (number | null)[]) =>
      collect(
        values.map(
          (latencyMs, index) => [String(index), finishedCell('f', { facts: facts({ latencyMs }) }), 1] as const,
        ),
      ).figures.latencyMs;
    const mean = latencies([1, 2, 3, 4, 5, null, Number.NaN])!;
    assert.deepEqual([mean.value, mean.count], [3, 5]);
    assert.ok(Math.abs(mean.margin! - 2.776 * Math.sqrt(2.5 / 5)) < 1e-9);
    assert.deepEqual([latencies([]), latencies([7])], [undefined, { value: 7, margin: undefined, count: 1 }]);
  });

  const scored = (score: number | null) =>
    finishedCell('f', {
      scores: [{ name: 's', label: null, score, explanation: null, error: null, traceId: null }],
      facts: facts({ latencyMs: 10, cost: 0.5 }),
    });

  test('sum cost, count failures, and compare scores case by case over repetitions', () => {
    const listed = (...scores: (number | null)[][]) =>
      scores.flatMap((list, caseIndex) => list.map((score, at) => [`c${caseIndex}`, scored(score), at + 1] as const));
    const { figures } = collect([
      ...listed([1], [0]),
      ['x', run({ type: 'error', message: 'no', facts: undefined }), 1],
    ]);
    assert.deepEqual(
      [figures.cost, figures.doneCount, figures.errorCount, figures.scores.get('s')?.value],
      [1, 2, 1, 0.5],
    );
    // The mean of 0 and 1 is better than 0, 1 is equal, 0 is worse than 1, and the last case has no score to compare.
    const wins = collect(listed([0, 1], [1], [0], [1])).winsAgainst(collect(listed([0], [1], [1], [null])), 's');
    assert.deepEqual(wins, { better: 1, worse: 1, equal: 1 });
  });
});

describe('the check of an output against its schema', () => {
  const schema: Json = {
    type: 'object',
    required: ['name', 'kind'],
    additionalProperties: false,
    properties: {
      name: { type: 'string', minLength: 2 },
      kind: { enum: ['a', 'b'] },
      more: { type: 'array', items: { $ref: '#/$defs/item' }, maxItems: 2 },
    },
    $defs: { item: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] } },
  };

  test('finds what is wrong and where', () => {
    assert.deepEqual(checkOutput('{"name":"xy","kind":"a","more":[1,null]}', schema), { type: 'valid', unchecked: [] });
    assert.deepEqual(checkOutput('no', schema), { type: 'notJson' });
    assert.deepEqual(checkOutput('{"name":"x","more":[0],"other":1}', schema), {
      type: 'invalid',
      problems: [
        'The value lacks kind',
        'name has a length below 2',
        'more[0] matches 0 schemas of anyOf',
        'other is not in the schema',
      ],
    });
  });

  test('ends with a schema that refers to itself, and names keywords that it does not check', () => {
    const endless = checkOutput('{}', { $ref: '#' });
    assert.equal(endless.type, 'valid');
    assert.deepEqual(checkOutput('"x"', { pattern: '(a+)+$' }), { type: 'valid', unchecked: ['pattern'] });
  });
});
