import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endOfLastRecord, parseLogPosition } from '../../../src/metadata-store/replica/log-position.ts';
import { ReplicaLag } from '../../../src/metadata-store/replica/replica-lag.ts';
import { WritePositions } from '../../../src/metadata-store/replica/write-positions.ts';

test('a log position is read as a number', () => {
  assert.equal(parseLogPosition('0/0'), 0n);
  assert.equal(parseLogPosition('16/B374D848'), 0x16_b374_d848n);
  assert.throws(() => parseLogPosition('16'), /is not a position/);
});

test('a record that ends with its page ends before the header of the next page', () => {
  assert.equal(endOfLastRecord(parseLogPosition('0/3002018')), parseLogPosition('0/3002000'));
  assert.equal(endOfLastRecord(parseLogPosition('0/3002020')), parseLogPosition('0/3002020'));
});

test('a caller waits for the own writes, and everyone for those of all', () => {
  const positions = new WritePositions(10);
  positions.replayed = 5n;
  positions.record('a', 9n);
  positions.record('a', 7n);

  assert.deepEqual([positions.hasAllOf('a'), positions.hasAllOf('b')], [false, true]);
  positions.replayed = 8n;
  assert.equal(positions.hasAllOf('a'), false, 'the newest write counts');
  positions.replayed = 9n;
  assert.equal(positions.hasAllOf('a'), true);
  assert.equal(positions.count, 0, 'a caller is dropped once the replica has the write');
  positions.recordForAll(10n);
  assert.equal(positions.hasAllOf('b'), false);
});

test('too many callers become one position that everyone waits for', () => {
  const positions = new WritePositions(3);
  for (const position of [1n, 4n, 2n, 3n]) positions.record(`caller ${position}`, position);

  assert.equal(positions.count, 0);
  positions.replayed = 3n;
  assert.equal(positions.hasAllOf('another'), false);
  positions.replayed = 4n;
  assert.equal(positions.hasAllOf('another'), true);
});

test('a replica is as old as the first position of the primary that it lacks', () => {
  const lag = new ReplicaLag(1_000);
  lag.observe(10n, 0);
  lag.observe(20n, 100);
  lag.observe(20n, 5_000);

  assert.equal(lag.ageMs(20n, 5_000), 0, 'a primary without writes makes no replica old');
  lag.observe(30n, 5_100);
  assert.equal(lag.ageMs(20n, 5_400), 300);
  for (let atMs = 5_200; atMs < 60_000; atMs += 100) lag.observe(BigInt(atMs), atMs);
  assert.ok(lag.ageMs(20n, 60_000) >= 1_000, 'a replica that never advances stays old');
});
