/** How long does a person wait for the pages, and what do these load? Times are those of the browser. */
import { chromium, type Page } from 'playwright-core';
import { NO_BROWSER } from '../../test/web/browser.ts';
import { hexId, projectId, type SeedSpan, seed } from '../../test/web/seed.ts';
import { withServer } from '../whole-server/bench-server.ts';
import { ms, printTable, size } from '../whole-server/measure.ts';

const TRACE_COUNT = size('TRACES', { smoke: 50, full: 20_000 });
const BIG_SPAN_COUNT = size('SPANS', { smoke: 500, full: 100_000 });
const VISIT_COUNT = size(undefined, { smoke: 1, full: 5 });

const rows: Record<string, string>[] = [];
async function measure(url: string): Promise<void> {
  await seed(url, 'bench', smallTraces());
  await seed(url, 'bench', wideTrace(900_001, Math.min(2_000, BIG_SPAN_COUNT)));
  await seed(url, 'bench', wideTrace(900_002, BIG_SPAN_COUNT));
  const place = `${url}/projects/${encodeURIComponent(await projectId(url, 'bench'))}`;
  const table = `${place}/spans?timeRangeKey=30d`;
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  try {
    const first: number[] = [];
    const next: number[] = [];
    let script = 0;
    let requests = 0;
    for (let visit = 0; visit < VISIT_COUNT; visit++) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      const page = await context.newPage();
      const operations: string[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/graphql')) operations.push(request.postDataJSON().operationName);
      });
      first.push(await timeUntil(page, table, '.table-row'));
      // What comes later was asked for when the rows were there.
      requests = operations.indexOf('projectSpans') + 1;
      script = Number(await page.evaluate(SCRIPT_BYTES));
      next.push(await timeUntil(page, table, '.table-row'));
      await context.close();
    }
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await timeUntil(page, table, '.table-row');
    const trace = (number: number) => timeUntil(page, `${place}/traces/${hexId(number, 16)}`, '.tree-row');
    rows.push(
      { what: 'first visit to rows', figure: `${ms(median(first))} ms` },
      { what: 'next visits to rows', figure: `${ms(median(next))} ms` },
      { what: 'requests for data before the rows', figure: String(requests) },
      { what: 'script of the table page, compressed', figure: `${(script / 1000).toFixed(0)} kB` },
      { what: `trace of ${Math.min(2_000, BIG_SPAN_COUNT)} spans, open`, figure: `${ms(await trace(900_001))} ms` },
      { what: `trace of ${BIG_SPAN_COUNT} spans, open`, figure: `${ms(await trace(900_002))} ms` },
    );
    rows.push({
      what: 'its graph, open',
      figure: `${ms(await timeUntil(page, `${place}/traces/${hexId(900_002, 16)}?traceView=graph`, '.graph-node'))} ms`,
    });
    await trace(900_002);
    rows.push({ what: 'its longest frame while scrolling', figure: `${ms(await longestFrame(page))} ms` });
  } finally {
    await browser.close();
  }
}

/** Bytes on the wire. */
const SCRIPT_BYTES =
  'performance.getEntriesByType("resource").filter((entry) => entry.name.endsWith(".js")).reduce((sum, entry) => sum + entry.encodedBodySize, 0)';

/** Milliseconds from the navigation until an element is drawn. */
async function timeUntil(page: Page, url: string, selector: string): Promise<number> {
  const startedAt = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator(selector).first().waitFor();
  return performance.now() - startedAt;
}

/** Scrolls the tree by a screen a frame, all siblings unfolded. */
async function longestFrame(page: Page): Promise<number> {
  await page.locator('.tree-row', { hasText: '×' }).first().click();
  return Number(
    await page.evaluate(`new Promise((resolve) => {
      const rows = document.querySelector('.tree-rows');
      let longest = 0, last = performance.now(), count = 0;
      const step = (now) => {
        longest = count > 1 ? Math.max(longest, now - last) : 0;
        last = now;
        rows.scrollTop += 600;
        count += 1;
        if (count < 60) requestAnimationFrame(step); else resolve(longest);
      };
      requestAnimationFrame(step);
    })`),
  );
}

function smallTraces(): SeedSpan[] {
  const now = Date.now();
  return Array.from({ length: TRACE_COUNT }, (_, index): SeedSpan[] => {
    const traceId = hexId(index + 1, 16);
    const start = now - (index + 1) * 30_000;
    const attributes = {
      'input.value': `question ${index}`,
      'output.value': `answer ${index}`,
      'session.id': `chat ${index % 500}`,
    };
    const parent = hexId(index * 4 + 1, 8);
    return [
      { traceId, spanId: parent, name: 'agent', start, latencyMs: 900, attributes },
      {
        traceId,
        spanId: hexId(index * 4 + 2, 8),
        parentSpanId: parent,
        name: 'model',
        start: start + 9,
        latencyMs: 700,
      },
    ];
  }).flat();
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
if (rows.length > 0) printTable('How long does a person wait for the pages, and what do these load?', rows);
