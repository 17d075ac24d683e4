import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GRAPHQL_SLICE_MS } from '../../../src/model/limits/graphql.ts';
import { TimeSlices } from '../../../src/api/graphql/execution/time-slices.ts';

test('a handler that waits for a slice ends when its client disconnects', async () => {
  const slices = new TimeSlices();
  const [busy, leaving, staying] = [new AbortController(), new AbortController(), new AbortController()];
  slices.run([blockForOneSlice, blockForOneSlice, blockForOneSlice], busy.signal);

  const left = slices.waitOrLeave(leaving.signal);
  const stayed = slices.waitOrLeave(staying.signal);
  leaving.abort(new Error('the client has disconnected'));

  await assert.rejects(left, /the client has disconnected/);
  await assert.rejects(slices.waitOrLeave(leaving.signal), /the client has disconnected/);
  await stayed;
});

function blockForOneSlice(): void {
  for (const end = performance.now() + GRAPHQL_SLICE_MS + 1; performance.now() < end; );
}
