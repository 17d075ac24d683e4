import assert from 'node:assert/strict';
import { test } from 'node:test';
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

  await Promise.all(
    bodies.map(async (body) => {
      for await (const event of body) {
        for (const until = performance.now() + WORK_MS; performance.now() < until; );
        read.push(event.toString());
      }
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
