/**
 * How long does a person wait for the comparison of experiments: its summary, its grid, and another sort or filter? Times are
 * those of the browser: from the beginning of a navigation, or from a choice, until a frame shows the result. `first` is with
 * nothing in the memory of the server. `EXAMPLES` and `COMPARED` set another size.
 */
import { type Browser, chromium, type Page } from 'playwright-core';
import { fillComparison } from '../domain/fill-comparison.ts';
import { BROWSER_PATH, NO_BROWSER } from '../../test/web/browser.ts';
import { openTestServer } from '../../test/api/test-server.ts';
import { count, isSmoke, ms, printTable, size } from '../whole-server/measure.ts';
import { longestFrame, openTab, scriptBytes, settled, visit } from './page-clock.ts';

const SIZES = isSmoke
  ? ([[20, 2]] as const)
  : process.env.EXAMPLES === undefined
    ? ([
        [10_000, 4],
        [100_000, 8],
      ] as const)
    : ([[size('EXAMPLES', { smoke: 20, full: 1_000 }), size('COMPARED', { smoke: 2, full: 4 })]] as const);
const VISIT_COUNT = size('VISITS', { smoke: 1, full: 5 });
const ROW = '.table-row:not(.waiting) .run-cell';
const CARD = '.measure-card';

const closing: (() => Promise<void>)[] = [];
if (NO_BROWSER) console.log(`Nothing is measured: ${NO_BROWSER}.`);
else {
  try {
    const browser = await chromium.launch({ executablePath: BROWSER_PATH!, args: ['--no-sandbox'] });
    closing.push(() => browser.close());
    for (const [exampleCount, experimentCount] of SIZES) await bench(browser, exampleCount, experimentCount);
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

async function bench(browser: Browser, exampleCount: number, experimentCount: number): Promise<void> {
  const server = await openTestServer({ after: (work) => closing.push(work) });
  const { datasetId, experimentIds } = await fillComparison(server, exampleCount, experimentCount);
  const query = new URLSearchParams(experimentIds.map((id) => ['experiment', id] as [string, string]));
  const grid = `${server.address}/datasets/${encodeURIComponent(datasetId)}/compare?${query}`;
  const summary = `${grid}&view=metrics`;
  const context = await browser.newContext();
  const page = await openTab(context);
  const firstSummary = await visit(page, summary, CARD);
  const script = await scriptBytes(page);
  const [summaries, grids, sorts, filters]: number[][] = [[], [], [], []];
  for (let turn = 0; turn < VISIT_COUNT; turn++) {
    await settled(page);
    summaries!.push(await visit(page, summary, CARD));
    await settled(page);
    grids!.push(await visit(page, grid, ROW));
    await settled(page);
    sorts!.push(await choose(page, '.sort-choice', 'desc score:accuracy'));
    await settled(page);
    filters!.push(await choose(page, '.quick-filter select', 'score:correct'));
  }
  await visit(page, grid, ROW);
  await settled(page);
  const frame = await longestFrame(page, '.table', 400);
  await context.close();
  const rows = [
    { what: 'summary, first visit', figure: `${ms(firstSummary)} ms` },
    { what: 'summary, next visits', figure: `${ms(median(summaries!))} ms` },
    { what: 'grid until its rows', figure: `${ms(median(grids!))} ms` },
    { what: 'rows of another sort', figure: `${ms(median(sorts!))} ms` },
    { what: 'rows of another filter', figure: `${ms(median(filters!))} ms` },
    { what: 'longest frame while the grid scrolls', figure: `${ms(frame)} ms` },
    { what: 'script of the page, compressed', figure: `${(script / 1_000).toFixed(0)} kB` },
  ];
  printTable(`Pages of a comparison of ${experimentCount} experiments of ${count(exampleCount)} examples`, rows);
}

/** Time from the choice of an option until a frame shows other rows. */
async function choose(page: Page, selector: string, value: string): Promise<number> {
  await page.evaluate(`{
    const rows = () => [...document.querySelectorAll('.table-row:not(.waiting)')].map((row) => row.textContent).join();
    const before = rows();
    addEventListener('change', () => { window.__chosenAt = performance.now(); }, { capture: true, once: true });
    window.__changed = window.__until('.table', () => rows() !== before && rows() !== '');
    undefined;
  }`);
  await page.locator(selector).first().selectOption(value);
  return Number(await page.evaluate('window.__changed.then((at) => at - window.__chosenAt)'));
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
