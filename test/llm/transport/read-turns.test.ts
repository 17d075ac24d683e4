import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ModelError } from '../../../src/llm/contract/model-error.ts';
import { ReadTurns } from '../../../src/llm/transport/read-turns.ts';
import { ResponseBody } from '../../../src/llm/transport/response-body.ts';

const FLOW = { pause() {}, resume() {}, cancel() {}, hold() {} };
const BODY_COUNT = 100;
const EVENT_COUNT = 20;
const WORK_MS = 0.2;

test('responses that arrive faster than they are read share one time slice of the event loop', async () => {
  const turns = new ReadTurns();
  const bodies = Array.from({ length: BODY_COUNT }, (_, index) => {
    const body = new ResponseBody('events', FLOW, turns);
    for (let event = 0; event < EVENT_COUNT; event++) body.push(Buffer.from(`data: ${index} ${event}\n\n`));
    body.end();
    return body;
  });
  const read: string[] = [];
  let iterations = 0;
  let isOver = false;
  const count = () => {
    iterations++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);

  const onEvent = (event: Buffer) => {
    for (const until = performance.now() + WORK_MS; performance.now() < until; );
    read.push(event.toString());
  };
  await Promise.all(
    bodies.map(async (body, index) => {
      if (index % 2 === 0) return body.consume(onEvent);
      for await (const event of body) onEvent(event);
    }),
  );
  isOver = true;

  // Each body alone stays within a slice, so with a slice for each, all of them would run in one or two iterations.
  assert.ok(iterations >= 15, `${iterations} iterations`);
  assert.equal(read.length, BODY_COUNT * EVENT_COUNT);
  for (let index = 0; index < BODY_COUNT; index++) {
    const own = read.filter((text) => text.startsWith(`data: ${index} `));
    assert.deepEqual(
      own,
      own.map((_, event) => `data: ${index} ${event}\n\n`),
    );
  }
  const last = (index: number) => read.lastIndexOf(`data: ${index} ${EVENT_COUNT - 1}\n\n`);
  assert.ok(last(BODY_COUNT - 1) > last(0), 'the first body is not read last');
});

test('a reader that is called gets events as they arrive, in order, and the error of the response or its own', async () => {
  const open = () => new ResponseBody('events', { ...FLOW, cancel: () => cancels++ }, new ReadTurns());
  let cancels = 0;
  const read: string[] = [];
  const body = open();
  body.push(Buffer.from('data: 1\n\n'));
  const reading = body.consume((event) => read.push(event.toString().trim()));
  body.push(Buffer.from('data: 2\n\ndata: 3\n\nda'));
  assert.deepEqual(read, ['data: 1', 'data: 2', 'data: 3']);
  body.push(Buffer.from('ta: 4'));
  body.end();
  await reading;
  assert.deepEqual(read.at(-1), 'data: 4');
  assert.equal(cancels, 0);

  const cut = open();
  const cutting = cut.consume(() => {});
  cut.fail(new ModelError('unreachable', 'cut'));
  await assert.rejects(cutting, /cut/);

  const left = open();
  const seen: string[] = [];
  const leaving = left.consume((event) => {
    seen.push(event.toString());
    throw new Error('of the reader');
  });
  left.push(Buffer.from('data: 1\n\ndata: 2\n\n'));
  await assert.rejects(leaving, /of the reader/);
  assert.deepEqual([seen.length, cancels], [1, 1]);
});
