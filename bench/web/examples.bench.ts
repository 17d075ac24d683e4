/**
 * How long does a person wait for the examples of a dataset of this many, anywhere in the table? Times are those of the browser:
 * until a frame shows all visible rows. `DATA_DIR` keeps the dataset, and `DATASET` names it.
 */
import { type Browser, chromium, type Page } from 'playwright-core';
import { BROWSER_PATH, NO_BROWSER } from '../../test/web/browser.ts';
import { graphql } from '../../test/web/seed.ts';
import { withServer } from '../whole-server/bench-server.ts';
import { count, ms, printTable, size } from '../whole-server/measure.ts';
import { longestFrame, openTab, scriptBytes, visit } from './page-clock.ts';

const EXAMPLE_COUNT = size('EXAMPLES', { smoke: 300, full: 1_000_000 });
const VISIT_COUNT = size('VISITS', { smoke: 1, full: 7 });
const JUMP_COUNT = size('JUMPS', { smoke: 2, full: 30 });
const NAME = process.env.DATASET ?? 'bench-examples';

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

async function measure(url: string): Promise<void> {
  const path = `${url}/datasets/${encodeURIComponent(await findDataset(url))}/examples`;
  const browser = await chromium.launch({ executablePath: BROWSER_PATH!, args: ['--no-sandbox'] });
  try {
    printTable(`How long does a person wait for ${count(EXAMPLE_COUNT)} examples?`, await measureTable(browser, path));
  } finally {
    await browser.close();
  }
}

/** The dataset of this name, which is created if it does not exist. */
async function findDataset(url: string): Promise<string> {
  const { datasets } = await graphql<{ datasets: { edges: { node: { id: string } }[] } }>(
    url,
    'query ($name: String!) { datasets(first: 1, filter: { col: name, value: $name }) { edges { node { id } } } }',
    { name: NAME },
  );
  const known = datasets.edges[0]?.node.id;
  if (known !== undefined) return known;
  const form = new FormData();
  form.set('action', 'create');
  form.set('name', NAME);
  form.set('input_keys[]', 'question');
  form.set('output_keys[]', 'answer');
  form.set('metadata_keys[]', 'topic');
  form.set('file', new Blob(lines(), { type: 'application/jsonl' }), 'examples.jsonl');
  const response = await fetch(`${url}/v1/datasets/upload?sync=true`, { method: 'POST', body: form });
  if (!response.ok) throw new Error(`the upload failed: ${await response.text()}`);
  const { data } = (await response.json()) as { data: { dataset_id: string } };
  return data.dataset_id;
}

function lines(): string[] {
  const topics = ['billing', 'login', 'shipping', 'refund', 'api'];
  return Array.from({ length: EXAMPLE_COUNT }, (_, index) => {
    const topic = topics[index % topics.length];
    const question = `Question ${index}: how do I change the ${topic} settings of account ${index * 7}?`;
    const answer = `Open settings, choose ${topic} and press save. Reference ${index}.`;
    return `${JSON.stringify({ question, answer, topic })}\n`;
  });
}

async function measureTable(browser: Browser, path: string): Promise<Record<string, string>[]> {
  const first: number[] = [];
  const jumps: number[] = [];
  const frames: number[] = [];
  let script = 0;
  for (let turn = 0; turn < VISIT_COUNT; turn++) {
    const context = await browser.newContext();
    const page = await openTab(context);
    first.push(await visit(page, path, '.table-row:not(.waiting)'));
    script = await scriptBytes(page);
    // The first jump of a server also reads the row ids of the list.
    if (turn === 0) await jumpMs(page, 0.5);
    for (let jump = 0; jump < JUMP_COUNT / VISIT_COUNT; jump++)
      jumps.push(await jumpMs(page, (0.137 * (jump + turn + 1)) % 1));
    frames.push(await longestFrame(page, '.table', 60));
    await context.close();
  }
  return [
    { what: 'first visit, until rows are visible (median)', figure: ms(median(first)), floor: '1,000 ms' },
    { what: 'scroll anywhere, until all visible rows are there (median)', figure: ms(median(jumps)), floor: '300 ms' },
    { what: 'scroll anywhere (longest)', figure: ms(Math.max(...jumps)), floor: '300 ms' },
    { what: 'longest frame while scrolling (median)', figure: ms(median(frames)), floor: '50 ms' },
    { what: 'script of the first visit, compressed', figure: `${Math.round(script / 1_000)} kB`, floor: '300 kB' },
  ];
}

/** From a movement of the scrollbar until a frame shows all rows there. */
async function jumpMs(page: Page, share: number): Promise<number> {
  return Number(
    await page.evaluate(`new Promise((resolve) => {
      const table = document.querySelector('.table');
      const firstRow = () => document.querySelector('.table-row')?.getAttribute('aria-rowindex');
      const before = firstRow();
      const start = performance.now();
      table.scrollTop = ${share} * (table.scrollHeight - table.clientHeight);
      const look = () => {
        if (firstRow() !== before && !document.querySelector('.table-row.waiting')) resolve(performance.now() - start);
        else if (performance.now() - start > 120_000) resolve(120_000);
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    })`),
  );
}

if (NO_BROWSER) console.log(`Nothing is measured: ${NO_BROWSER}.`);
else await withServer(({ url }) => measure(url));
