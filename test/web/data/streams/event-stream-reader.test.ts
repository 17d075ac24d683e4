import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventStreamReader } from '../../../../src/web/data/streams/event-stream-reader.ts';

const STREAM =
  ':\n\nevent: next\ndata: {"data":{"a":"x: y"}}\n\n:\n\nevent: next\ndata: 2\n\nevent: complete\ndata:\n\n';

test('events are read from texts that end anywhere', () => {
  for (let size = 1; size <= STREAM.length; size++) {
    const reader = new EventStreamReader();
    const events = [];
    for (let at = 0; at < STREAM.length; at += size) events.push(...reader.read(STREAM.slice(at, at + size)));
    assert.deepEqual(events, [
      { event: '', data: '' },
      { event: 'next', data: '{"data":{"a":"x: y"}}' },
      { event: '', data: '' },
      { event: 'next', data: '2' },
      { event: 'complete', data: '' },
    ]);
  }
});
