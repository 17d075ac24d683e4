import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TIME_ZONE_YEARS_MAX } from '../../../src/model/limits/reads.ts';
import { SeededRandom } from '../../fixtures/seeded-random.ts';
import { shareTestServer, type TestServer } from '../test-server.ts';

const openServer = shareTestServer();

// Compares with a plain recomputation that reads the local time at every step.

const QUARTER_MS = 15 * 60_000;
const DAY_MS = 86_400_000;

const hex = (value: number, length: number): string => value.toString(16).padStart(length, '0');

interface Wall {
  readonly dayNumber: number;
  readonly minuteOfDay: number;
  readonly month: string;
  readonly year: string;
  readonly offset: string;
}

function openWall(timeZone: string): (timeMs: number) => Wall {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  });
  return (timeMs) => {
    // A sixth of the time of `formatToParts`. The model asks a hundred thousand times.
    const [, month, day, year, hour, minute, offset] = FORMATTED.exec(
      format.format(timeMs),
    ) as unknown as FormattedTime;
    return {
      dayNumber: Date.parse(`${year}-${month}-${day}T00:00:00Z`) / DAY_MS,
      minuteOfDay: Number(hour) * 60 + Number(minute),
      month: `${year}-${month}`,
      year,
      offset,
    };
  };
}

/** `10/25/2026, 02:30 GMT+02:00` */
const FORMATTED = /^(\d\d)\/(\d\d)\/(\d{4}), (\d\d):(\d\d) (GMT.*)$/;
type FormattedTime = readonly [
  all: string,
  month: string,
  day: string,
  year: string,
  hour: string,
  minute: string,
  offset: string,
];

/** Bins within a day. Bins that fit in the repeated time when clocks go back are repeated. */
const partsOfDay =
  (minutes: number) =>
  ({ dayNumber, minuteOfDay, offset }: Wall, twiceMinutes: number): string =>
    `${dayNumber} ${Math.floor(minuteOfDay / minutes)} ${minutes <= twiceMinutes ? offset : ''}`;

/** Key of the bin that contains a time. Times with the same key are in the same bin. */
const SIZES: readonly [scale: string, scaleCount: number, keyOf: (wall: Wall, twiceMinutes: number) => string][] = [
  ['MINUTE', 15, partsOfDay(15)],
  ['MINUTE', 30, partsOfDay(30)],
  ['HOUR', 1, partsOfDay(60)],
  ['HOUR', 2, partsOfDay(120)],
  ['HOUR', 3, partsOfDay(180)],
  ['HOUR', 12, partsOfDay(720)],
  ['DAY', 1, ({ dayNumber }) => String(dayNumber)],
  ['DAY', 2, ({ dayNumber }) => String(Math.floor(dayNumber / 2))],
  ['WEEK', 1, ({ dayNumber }) => String(Math.floor((dayNumber - 4) / 7))],
  ['WEEK', 4, ({ dayNumber }) => String(Math.floor((dayNumber - 4) / 28))],
  ['MONTH', 1, ({ month }) => month],
  ['YEAR', 1, ({ year }) => year],
];

/** Starts of the bins in [startMs, endMs), with the number of given times in each. */
function recompute(
  keyAt: (timeMs: number) => string,
  [startMs, endMs]: readonly [number, number],
  times: readonly number[],
) {
  let firstMs = Math.floor(startMs / QUARTER_MS) * QUARTER_MS;
  while (keyAt(firstMs - QUARTER_MS) === keyAt(startMs)) firstMs -= QUARTER_MS;
  const bins: { startMs: number; count: number }[] = [];
  let key: string | undefined;
  for (let timeMs = firstMs; timeMs < endMs; timeMs += QUARTER_MS) {
    const here = keyAt(timeMs);
    if (here !== key) bins.push({ startMs: timeMs, count: 0 });
    key = here;
  }
  for (const timeMs of times) bins.findLast((bin) => bin.startMs <= timeMs)!.count++;
  return bins;
}

const SERIES = `query ($range: TimeRange!, $bins: TimeBinConfig) { getProjectByName(name: "app") {
  spans: spanCountTimeSeries(timeRange: $range, timeBinConfig: $bins) { data { timestamp totalCount } }
  traces: traceCountTimeSeries(timeRange: $range, timeBinConfig: $bins) { data { timestamp value } } } }`;

async function ask(server: TestServer, [startMs, endMs]: readonly [number, number], bins: object) {
  const range = { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() };
  const { spans, traces } = (await server.ask(SERIES, { range, bins })).getProjectByName;
  const toBin = (timestamp: string, count: number | null) => ({ startMs: Date.parse(timestamp), count: count ?? 0 });
  return {
    spans: spans.data.map((bin: { timestamp: string; totalCount: number }) => toBin(bin.timestamp, bin.totalCount)),
    traces: traces.data.map((bin: { timestamp: string; value: number }) => toBin(bin.timestamp, bin.value)),
  };
}

describe('series in a named time zone', () => {
  // Lord Howe Island changes by half an hour. In Cairo and Santiago clocks change at midnight, which is skipped or
  // repeated.
  for (const [timeZone, twiceMinutes, ...changes] of [
    ['Europe/Berlin', 60, '2026-03-29', '2026-10-25'],
    ['America/New_York', 60, '2026-03-08', '2026-11-01'],
    ['Australia/Lord_Howe', 30, '2026-04-05', '2026-10-04'],
    ['America/Santiago', 60, '2026-04-05', '2026-09-06'],
    ['Africa/Cairo', 60, '2026-04-24', '2026-10-30'],
  ] as const) {
    test(`begin at local multiples of every size on both sides of a change: ${timeZone}`, async (t) => {
      const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 100_000));
      t.diagnostic(`SEED=${seed}`);
      const random = new SeededRandom(seed);
      const server = await openServer();
      const ranges = changes.map((day) => {
        const changeMs = Date.parse(`${day}T00:00:00Z`);
        return [changeMs - 3 * DAY_MS - 40 * 60_000, changeMs + 3 * DAY_MS + 10 * 60_000] as const;
      });
      const times = ranges.flatMap(([startMs, endMs]) =>
        Array.from({ length: 300 }, () => startMs + random.below(endMs - startMs)),
      );
      const spans = times.map((timeMs, i) => ({
        project: 'app',
        traceId: hex(i + 1, 32),
        spanId: hex(i + 1, 16),
        start: BigInt(timeMs) * 1_000_000n + 999_999n,
        end: BigInt(timeMs) * 1_000_000n + 999_999n,
      }));
      await server.append(...spans);
      const wallAt = openWall(timeZone);
      const walls = new Map<number, Wall>();
      const knownWallAt = (timeMs: number) => {
        const wall = walls.get(timeMs) ?? wallAt(timeMs);
        walls.set(timeMs, wall);
        return wall;
      };

      const months = [ranges[0]![0], ranges[1]![1]] as const;
      for (const [scale, scaleCount, keyOf] of SIZES) {
        // Bins of some hours have all of their cases in the days around the changes.
        const isLong = !/^(MINUTE|HOUR)$/.test(scale) || scaleCount === 12;
        for (const range of isLong ? [...ranges, months] : ranges) {
          const inRange = times.filter((timeMs) => timeMs >= range[0] && timeMs < range[1]);
          const { spans: found, traces } = await ask(server, range, { scale, scaleCount, timeZone });
          const expected = recompute((timeMs) => keyOf(knownWallAt(timeMs), twiceMinutes), range, inRange);
          assert.deepEqual(found, expected, `${scale} ${scaleCount}`);
          assert.deepEqual(traces, expected, `${scale} ${scaleCount}`);
        }
      }
    });
  }

  test('have two bins for a repeated hour, and none for a skipped hour', async () => {
    const server = await openServer();
    await server.append({ project: 'app', traceId: hex(1, 32), spanId: hex(1, 16) });
    const hoursOf = async (day: string, endsAt: string) => {
      const range = [Date.parse(day), Date.parse(endsAt)] as const;
      const { spans } = await ask(server, range, { scale: 'HOUR', timeZone: 'europe/berlin' });
      return spans.length;
    };

    assert.equal(await hoursOf('2026-10-25T00:00+02:00', '2026-10-26T00:00+01:00'), 25);
    assert.equal(await hoursOf('2026-03-29T00:00+01:00', '2026-03-30T00:00+02:00'), 23);
  });

  test('reject unknown names, and more years than they search', async () => {
    const server = await openServer();
    await server.append({ project: 'app', traceId: hex(1, 32), spanId: hex(1, 16) });
    const errorOf = async (bins: object, start = '2026-01-01T00:00:00Z') => {
      const range = { start, end: '2026-02-01T00:00:00Z' };
      return (await server.post(SERIES, { range, bins })).errors?.[0];
    };

    for (const timeZone of ['Europe/Berlijn', '', '+01:00', '__proto__', `"${'x'.repeat(10_000)}`]) {
      const message = await errorOf({ scale: 'DAY', timeZone });
      assert.match(message!, /^There is no time zone ".*"; expected a name such as "Europe\/Berlin"$/);
      assert.ok(message!.length < 200);
    }
    assert.match(
      (await errorOf({ scale: 'YEAR', timeZone: 'UTC' }, '1900-01-01T00:00:00Z'))!,
      new RegExp(`${TIME_ZONE_YEARS_MAX} years`),
    );
    assert.equal(await errorOf({ scale: 'DAY', timeZone: null }), undefined);
    assert.equal(await errorOf({ scale: 'DAY', timeZone: 'UTC' }), undefined);
  });
});
