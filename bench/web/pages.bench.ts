/**
 * How long does a person wait for the pages of a project of this many spans, while more arrive? Times are those of the
 * browser: from the beginning of a navigation until a frame shows what was waited for. `DATA_DIR` keeps the spans, `PROJECT`
 * says which are looked at.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type Browser, chromium } from 'playwright-core';
import { BROWSER_PATH, NO_BROWSER } from '../../test/web/browser.ts';
import { graphql, hexId, projectId, type SeedSpan, seed } from '../../test/web/seed.ts';
import { measureVisibleMs, withServer } from '../whole-server/bench-server.ts';
import { runLoad, startLoad } from '../whole-server/load-generator.ts';
import { count, ms, printTable, size } from '../whole-server/measure.ts';
import {
  askedBy,
  clickMs,
  filterMs,
  heldBytes,
  longestFrame,
  openTab,
  scriptBytes,
  settled,
  visit,
} from './page-clock.ts';

const SPAN_COUNT = size('SPANS', { smoke: 300, full: 5_000_000 });
const ARRIVING_SPANS_PER_SECOND = size('ARRIVING', { smoke: 50, full: 1_000 });
const BIG_SPAN_COUNT = size('BIG', { smoke: 100, full: 100_000 });
const MEDIUM_SPAN_COUNT = Math.min(2_000, BIG_SPAN_COUNT);
const VISIT_COUNT = size('VISITS', { smoke: 1, full: 7 });
const LIVE_SECONDS = size('LIVE_SECONDS', { smoke: 0.2, full: 300 });
const WINDOW_SECONDS = 7 * 24 * 3_600;
const PROJECT = process.env.PROJECT ?? 'bench';
const MEDIUM_TRACE = 900_001;
const BIG_TRACE = 900_002;

const rows: Record<string, string>[] = [];
const add = (what: string, figure: string, floor: string) => rows.push({ what, figure, floor });

async function measure(url: string): Promise<void> {
  await fill(url);
  const load = startLoad({
    transport: 'http',
    target: url,
    project: PROJECT,
    seconds: 24 * 3_600,
    concurrency: 4,
    spansPerSecond: ARRIVING_SPANS_PER_SECOND,
  });
  await load.started;
  const browser = await chromium.launch({ executablePath: BROWSER_PATH!, args: ['--no-sandbox'] });
  try {
    const place = `${url}/projects/${encodeURIComponent(await projectId(url, PROJECT))}`;
    await measureTables(browser, `${place}/spans`);
    await measureTraces(browser, place);
    await measureLiveTail(browser, `${place}/spans?timeRangeKey=30d`);
  } finally {
    await browser.close();
    load.end();
    await load.result;
  }
}

async function measureTables(browser: Browser, spans: string): Promise<void> {
  const table = `${spans}?timeRangeKey=30d`;
  const first: number[] = [];
  const hasty: number[] = [];
  const next: number[] = [];
  const otherTab: number[] = [];
  const beyond: number[] = [];
  let [script, requests] = [0, 0];
  for (let turn = 0; turn < VISIT_COUNT; turn++) {
    const context = await browser.newContext();
    const page = await openTab(context);
    first.push(await visit(page, table, '.table-row'));
    const asked = await askedBy(page);
    const [rowsAsked] = asked.filter(({ name }) => name === 'projectSpans');
    const answeredAt = rowsAsked!.at + rowsAsked!.ms!;
    requests = asked.filter(({ at }) => at < answeredAt).length;
    script = await scriptBytes(page);
    // The server still processes the requests that the first visit sends after its rows.
    hasty.push(await visit(page, table, '.table-row'));
    await settled(page);
    next.push(await visit(page, table, '.table-row'));
    await settled(page);
    await page.close();
    // Compiled code of the first visit is gone; responses of the server are still cached.
    const other = await openTab(context);
    otherTab.push(await visit(other, table, '.table-row'));
    await other.close();
    const fixed = await openTab(context);
    // A range in the past does not follow new data.
    const bounds = `timeRangeStart=2000-01-01T00:00:00Z&timeRangeEnd=${new Date(Date.now() - 60_000).toISOString()}`;
    await visit(fixed, `${spans}?spans=all&${bounds}`, '.table-row');
    beyond.push(await filterMs(fixed, "status_code == 'ERROR'"));
    await context.close();
  }
  const page = await openTab(await browser.newContext());
  await visit(page, table, '.table-row');
  add('table, first visit until its rows', `${ms(median(first))} ms`, '1,000 ms');
  add('table, next visits until its rows', `${ms(median(next))} ms`, '300 ms');
  add('table, reloaded as soon as it has rows', `${ms(median(hasty))} ms`, '');
  add('table, next visits in another tab', `${ms(median(otherTab))} ms`, '');
  add('requests for data before the rows', String(requests), '3');
  add('script of the table page, compressed', `${(script / 1_000).toFixed(0)} kB`, '250 kB');
  add('rows of another filter, without the answer', `${ms(median(beyond))} ms`, '300 ms');
  add('longest frame while the table scrolls', `${ms(await longestFrame(page, '.table', 300))} ms`, '50 ms');
  await page.context().close();
}

async function measureTraces(browser: Browser, place: string): Promise<void> {
  const context = await browser.newContext();
  const traceUrl = (number: number) => `${place}/traces/${hexId(number, 16)}`;
  const times = async (number: number, query = '', selector = '.tree-row') => {
    const found: number[] = [];
    for (let turn = 0; turn < VISIT_COUNT; turn++) {
      const page = await openTab(context);
      found.push(await visit(page, traceUrl(number) + query, selector));
      await page.close();
    }
    return `${ms(median(found))} ms`;
  };
  const clicks = async () => {
    const found: number[] = [];
    const page = await openTab(context);
    const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    for (let turn = 0; turn < VISIT_COUNT; turn++) {
      // Only the two wide traces are in this range.
      await visit(page, `${place}/spans?timeRangeStart=${at(41)}&timeRangeEnd=${at(39)}`, '.table-row');
      found.push(await clickMs(page, `.table-row a[href*="${hexId(MEDIUM_TRACE, 16)}"]`, '.tree-row'));
    }
    await page.close();
    return `${ms(median(found))} ms`;
  };
  await times(MEDIUM_TRACE);
  add(`trace of ${count(MEDIUM_SPAN_COUNT)} spans, from the table until its tree`, await clicks(), '400 ms');
  add(`trace of ${count(MEDIUM_SPAN_COUNT)} spans, by its address in a new tab`, await times(MEDIUM_TRACE), '400 ms');
  add(`trace of ${count(BIG_SPAN_COUNT)} spans, by its address in a new tab`, await times(BIG_TRACE), '1,500 ms');
  add('… until its graph', await times(BIG_TRACE, '?traceView=graph', '.graph-node'), '');
  const page = await openTab(context);
  await visit(page, traceUrl(BIG_TRACE), '.tree-row');
  // All siblings are expanded.
  await page.locator('.tree-row', { hasText: '×' }).first().click();
  await delay(500);
  add('… longest frame while its tree scrolls', `${ms(await longestFrame(page, '.tree-rows', 600))} ms`, '50 ms');
  await context.close();
}

/** Memory a while after the page is open, and at the end. */
async function measureLiveTail(browser: Browser, table: string): Promise<void> {
  const page = await openTab(await browser.newContext());
  const session = await page.context().newCDPSession(page);
  await visit(page, table, '.table-row');
  await delay((LIVE_SECONDS / 5) * 1_000);
  const before = await heldBytes(session);
  await delay(LIVE_SECONDS * 0.8 * 1_000);
  const after = await heldBytes(session);
  const mb = (bytes: number) => (bytes / 1e6).toFixed(1);
  add(`memory of the page over ${LIVE_SECONDS} s of live tail`, `${mb(before)} MB, then ${mb(after)} MB`, 'stable');
}

interface Known {
  readonly getProjectByName: { readonly recordCount: number } | null;
  readonly getTraceByOtelId: object | null;
}

async function fill(url: string): Promise<void> {
  const asked = `query ($name: String!, $traceId: String!) {
    getProjectByName(name: $name) { recordCount }
    getTraceByOtelId(traceId: $traceId) { id }
  }`;
  const known = await graphql<Known>(url, asked, { name: PROJECT, traceId: hexId(BIG_TRACE, 16) });
  const there = known.getProjectByName?.recordCount ?? 0;
  if (!known.getTraceByOtelId) {
    await seed(url, PROJECT, wideTrace(MEDIUM_TRACE, MEDIUM_SPAN_COUNT));
    await seed(url, PROJECT, wideTrace(BIG_TRACE, BIG_SPAN_COUNT));
  }
  if (there < SPAN_COUNT) {
    await runLoad({
      transport: 'http',
      target: url,
      project: PROJECT,
      seconds: 24 * 3_600,
      concurrency: 4,
      spanCountMax: SPAN_COUNT - there,
      windowSeconds: WINDOW_SECONDS,
    });
  }
  await measureVisibleMs({ url }, PROJECT);
}

function wideTrace(number: number, spanCount: number): SeedSpan[] {
  const traceId = hexId(number, 16);
  const root = hexId(number * 1_000, 8);
  const start = Date.now() - 40 * 86_400_000;
  return Array.from({ length: spanCount }, (_, index) => ({
    traceId,
    spanId: index === 0 ? root : hexId(number * 1_000_000 + index, 8),
    ...(index === 0 ? {} : { parentSpanId: root }),
    name: index === 0 ? 'run' : `step_${index % 5}`,
    start: start + index,
    latencyMs: index === 0 ? spanCount : 5,
  }));
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

if (NO_BROWSER) console.log(`Nothing is measured: ${NO_BROWSER}.`);
else await withServer((server) => measure(server.url));
if (rows.length > 0) {
  printTable(
    `How long does a person wait for the pages, with ${count(SPAN_COUNT)} spans while ${count(ARRIVING_SPANS_PER_SECOND)} a second arrive?`,
    rows,
  );
}
