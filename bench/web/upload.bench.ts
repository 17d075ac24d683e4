/**
 * What does the upload of a large file to a new dataset cost: time until the preview, until the file is sent and until it is
 * stored, and memory of the page? `FILE_MIB` is the size of the CSV file, with rows of about 1 kB.
 */
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { BROWSER_PATH, NO_BROWSER } from '../../test/web/browser.ts';
import { withServer } from '../whole-server/bench-server.ts';
import { mib, ms, printTable, sample, size } from '../whole-server/measure.ts';
import { openTab } from './page-clock.ts';

const FILE_MIB = size('FILE_MIB', { smoke: 1, full: 1_024 });
const STORED_MS_MAX = 3_600_000;
const rows: Record<string, string>[] = [];
const add = (what: string, figure: string) => rows.push({ what, figure });

async function measure(url: string): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'spandrel-upload-'));
  const browser = await chromium.launch({ executablePath: BROWSER_PATH!, args: ['--no-sandbox'] });
  try {
    const path = join(dir, `upload-${process.pid}-${Date.now()}.csv`);
    await writeCsv(path);
    await upload(browser, url, path);
  } finally {
    await browser.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function upload(browser: Browser, url: string, path: string): Promise<void> {
  const page = await openTab(await browser.newContext());
  const dialog = page.getByRole('dialog').last();
  await page.goto(`${url}/datasets`);
  await page.getByRole('button', { name: 'New dataset' }).click();
  await page.getByRole('menuitem', { name: /From a file/ }).click();
  const pids = await rendererPids(browser);
  const before = heldBytes(pids);
  const chosenAt = performance.now();
  await dialog.getByLabel('File', { exact: true }).setInputFiles(path);
  await dialog.getByRole('button', { name: /^question/ }).waitFor();
  add('from the choice of the file until its preview', `${ms(performance.now() - chosenAt)} ms`);
  const memory = sample(200, () => heldBytes(pids));
  const startedAt = performance.now();
  let sentAt = startedAt;
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().includes('/v1/dataset_uploads/')) {
      if (sentAt === startedAt) sentAt = performance.now();
    }
  });
  await dialog.getByRole('button', { name: 'Create dataset' }).click();
  await dialog.getByText('The file is stored').waitFor({ timeout: STORED_MS_MAX });
  const bytes = statSync(path).size;
  if (sentAt > startedAt) add('until it is sent', `${seconds(sentAt - startedAt)}`);
  add('until it is stored', `${seconds(performance.now() - startedAt)}`);
  add('size of the file', mib(bytes));
  const held = memory.stop();
  add('memory of the page: before; largest during the upload', `${mib(before)}; ${mib(Math.max(...held, before))}`);
}

const seconds = (duration: number): string => `${(duration / 1_000).toFixed(1)} s`;

async function writeCsv(path: string): Promise<void> {
  const out = createWriteStream(path);
  const filler = 'lorem ipsum dolor sit amet consectetur '.repeat(25);
  out.write('id,question,answer,topic\n');
  for (let index = 0; out.bytesWritten + out.writableLength < FILE_MIB * 1024 * 1024; index++) {
    const isReady = out.write(`q${index},"Question ${index}: ${filler}",Answer ${index},t${index % 7}\n`);
    if (!isReady) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

/** Processes of pages: the one of the only page, and a spare one. */
async function rendererPids(browser: Browser): Promise<number[]> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
}

/** Memory of the largest of the processes, without files. */
const heldBytes = (pids: readonly number[]): number =>
  Math.max(
    ...pids.map((pid) => Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024),
  );

if (NO_BROWSER) console.log(`Nothing is measured: ${NO_BROWSER}.`);
else await withServer((server) => measure(server.url));
if (rows.length > 0) printTable('What does the upload of a large file cost?', rows);
