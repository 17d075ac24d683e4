/**
 * How long after a key press does the first text of a model appear in the page, beyond the time that the endpoint takes by itself, and
 * how long is the longest frame of a grid of this many cases and four variants while its cells stream and its user scrolls?
 * The second table names the processor time of the longest task of the page, which other programs disturb less.
 */
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { BROWSER_PATH, NO_BROWSER } from '../../test/web/browser.ts';
import { graphql } from '../../test/web/seed.ts';
import { startEndpointProcess } from '../../test/vendor-endpoint/endpoint-process.ts';
import { withServer } from '../whole-server/bench-server.ts';
import { count, ms, printTable, size } from '../whole-server/measure.ts';
import { openTab } from './page-clock.ts';

const PRESS_COUNT = size('PRESSES', { smoke: 2, full: 30 });
const CASE_COUNT = size('CASES', { smoke: 50, full: 10_000 });
const FRAME_COUNT = size('FRAMES', { smoke: 30, full: 900 });
const VARIANT_COUNT = 4;

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

interface Servers {
  readonly url: string;
  readonly endpointUrl: string;
}

async function measure(servers: Servers): Promise<void> {
  const browser = await chromium.launch({ executablePath: BROWSER_PATH!, args: ['--no-sandbox'] });
  try {
    printTable('From the key to the first text', await measureKey(browser, servers));
    printTable(`A grid of ${count(CASE_COUNT)} cases × ${VARIANT_COUNT}`, await measureGrid(browser, servers));
  } finally {
    await browser.close();
  }
}

const prompt = (page: Page, index = 0) => page.locator('textarea[aria-label^="User message"]').nth(index);

async function measureKey(browser: Browser, servers: Servers): Promise<Record<string, string>[]> {
  const { url, endpointUrl } = servers;
  const page = await openTab(await browser.newContext());
  await page.goto(`${url}/playground?promptId=${encodeURIComponent(await createPrompt(servers, '[[say text]]'))}`);
  const inPage: number[] = [];
  const direct: number[] = [];
  for (let turn = -2; turn < PRESS_COUNT; turn++) {
    // The text differs each time, so that an earlier one is not taken for it.
    const text = `text-${turn + 2}-end`;
    await prompt(page).fill(`[[say ${text}]]`);
    const pageMs = await pressMs(page, text);
    const endpointMs = await firstTextMs(endpointUrl, text);
    if (turn < 0) continue;
    inPage.push(pageMs);
    direct.push(endpointMs);
  }
  await page.context().close();
  const beyond = percentile(inPage, 0.5) - percentile(direct, 0.5);
  return [
    { what: 'key press to the frame with the first text, p50', figure: ms(percentile(inPage, 0.5)), floor: '' },
    { what: 'the same, p95', figure: ms(percentile(inPage, 0.95)), floor: '' },
    { what: 'first text of the endpoint itself, p50', figure: ms(percentile(direct, 0.5)), floor: '' },
    { what: 'beyond the endpoint, p50', figure: ms(beyond), floor: '60 ms' },
  ];
}

/** From the key to the frame that shows the text, by the clock of the page. */
async function pressMs(page: Page, text: string): Promise<number> {
  await page.evaluate(`{
    addEventListener('keydown', () => {
      window.__pressedAt = performance.now();
      window.__shown = window.__until('.output', () =>
        [...document.querySelectorAll('.output .text-value, .output-body')].some((e) => e.textContent.includes(${JSON.stringify(text)})));
    }, { capture: true, once: true });
    undefined;
  }`);
  await page.keyboard.press('Control+Enter');
  const took = Number(await page.evaluate('window.__shown.then((at) => at - window.__pressedAt)'));
  await page.locator('.output[data-status="done"]').waitFor();
  return took;
}

async function firstTextMs(endpointUrl: string, text: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${endpointUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer any' },
    body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: `[[say ${text}]]` }] }),
  });
  let received = '';
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    received += part;
    if (received.includes(text.slice(0, 4))) break;
  }
  return performance.now() - startedAt;
}

async function measureGrid(browser: Browser, servers: Servers): Promise<Record<string, string>[]> {
  const { url } = servers;
  const datasetId = await createDataset(url);
  const promptId = await createPrompt(servers, '[[words 60]] [[rate 100]] {{question}}');
  const context = await browser.newContext();
  const page = await openTab(context);
  await page.goto(`${url}/playground?${new URLSearchParams({ promptId, datasetId })}`);
  await page.getByText(`${CASE_COUNT.toLocaleString('en-US')} cases`).waitFor({ timeout: 120_000 });
  await page.getByLabel('Record as an experiment').uncheck();
  await page.getByLabel('At a time').fill('25');
  for (let index = 1; index < VARIANT_COUNT; index++) await page.getByRole('button', { name: 'Variant' }).click();
  const session = await context.newCDPSession(page);
  const idle = await scrollFrames(page, session);
  await page.getByRole('button', { name: 'Run all' }).click();
  await page.locator('.output[data-status="done"]').first().waitFor({ timeout: 120_000 });
  const streaming = await scrollFrames(page, session);
  const doneCount = await page.locator('.pg-progress').first().textContent();
  // Ends what still streams; at a small size, nothing does.
  await context.close();
  return [
    { what: 'longest frame while scrolling, nothing runs', figure: ms(idle.longestMs), floor: '50 ms' },
    { what: 'longest frame while cells stream', figure: ms(streaming.longestMs), floor: '50 ms' },
    { what: 'frames over 50 ms', figure: `${streaming.slowCount} of ${FRAME_COUNT}`, floor: '0' },
    { what: 'p99 of the frames', figure: ms(streaming.p99Ms), floor: '' },
    { what: 'processor time of the longest task', figure: ms(streaming.longestTaskMs), floor: '' },
    { what: 'share of the processor of the page', figure: `${Math.round(100 * streaming.busyShare)} %`, floor: '' },
    { what: 'ended cells of the first variant then', figure: doneCount ?? '', floor: '' },
  ];
}

interface Frames {
  readonly longestMs: number;
  readonly p99Ms: number;
  readonly slowCount: number;
  readonly longestTaskMs: number;
  readonly busyShare: number;
}

/** Frames of the page while it scrolls up and down, and the tasks of its main thread. */
async function scrollFrames(page: Page, session: CDPSession): Promise<Frames> {
  const tasks: number[] = [];
  const collect = ({ value }: { readonly value: readonly Readonly<Record<string, unknown>>[] }) => {
    for (const { name, tdur } of value)
      if (name === 'RunTask' || name === 'ThreadControllerImpl::RunTask') tasks.push(Number(tdur ?? 0) / 1_000);
  };
  session.on('Tracing.dataCollected', collect);
  await session.send('Tracing.start', {
    traceConfig: { includedCategories: ['disabled-by-default-devtools.timeline', 'toplevel'] },
    transferMode: 'ReportEvents',
  });
  const startedAt = performance.now();
  const frames = (await page.evaluate(`new Promise((resolve) => {
    const area = document.querySelector('.pg-grid');
    const frames = [];
    let last = performance.now();
    const step = (now) => {
      frames.push(now - last);
      last = now;
      area.scrollTop += frames.length % 300 < 200 ? 40 : -60;
      if (frames.length <= ${FRAME_COUNT}) requestAnimationFrame(step); else resolve(frames.slice(1));
    };
    requestAnimationFrame(step);
  })`)) as number[];
  const tookMs = performance.now() - startedAt;
  const ended = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.end');
  await ended;
  session.off('Tracing.dataCollected', collect);
  return {
    longestMs: Math.max(...frames),
    p99Ms: percentile(frames, 0.99),
    slowCount: frames.filter((frame) => frame > 50).length,
    longestTaskMs: Math.max(0, ...tasks),
    busyShare: tasks.reduce((sum, task) => sum + task, 0) / tookMs,
  };
}

let promptCount = 0;

/** A prompt whose custom provider is the endpoint. */
async function createPrompt({ url, endpointUrl }: Servers, text: string): Promise<string> {
  const name = `bench-${process.pid}-${promptCount++}`;
  const { createGenerativeModelCustomProvider: made } = await graphql<{
    createGenerativeModelCustomProvider: { provider: { id: string } };
  }>(url, CREATE_PROVIDER, {
    input: {
      ...{ name, provider: 'bench' },
      clientConfig: {
        openai: {
          ...{ openaiAuthenticationMethod: { apiKey: 'sk-bench-0123456789' }, openaiApiType: 'CHAT_COMPLETIONS' },
          openaiClientKwargs: { baseUrl: `${endpointUrl}/v1` },
        },
      },
    },
  });
  const { createChatPrompt } = await graphql<{ createChatPrompt: { id: string } }>(url, CREATE_PROMPT, {
    input: {
      name,
      promptVersion: {
        templateFormat: 'MUSTACHE',
        template: { messages: [{ role: 'USER', content: [{ text: { text } }] }] },
        ...{ invocationParameters: { openai: {} }, modelProvider: 'OPENAI', modelName: 'm' },
        customProviderId: made.provider.id,
      },
    },
  });
  return createChatPrompt.id;
}

const CREATE_PROVIDER = `mutation ($input: CreateGenerativeModelCustomProviderMutationInput!) {
  createGenerativeModelCustomProvider(input: $input) { provider { id } } }`;
const CREATE_PROMPT = 'mutation ($input: CreateChatPromptInput!) { createChatPrompt(input: $input) { id } }';

async function createDataset(url: string): Promise<string> {
  const rows = Array.from({ length: CASE_COUNT }, (_, index) => ({ question: `What is ${index} times 7?` }));
  const response = await fetch(`${url}/v1/datasets/upload?sync=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ action: 'create', name: 'bench-playground', inputs: rows },
      ...{ outputs: rows.map(() => ({})), metadata: rows.map(() => ({})) },
    }),
  });
  if (!response.ok) throw new Error(`the upload failed: ${await response.text()}`);
  return ((await response.json()) as { data: { dataset_id: string } }).data.dataset_id;
}

if (NO_BROWSER) console.log(`Nothing is measured: ${NO_BROWSER}.`);
else {
  const endpoint = await startEndpointProcess();
  try {
    await withServer(({ url }) => measure({ url, endpointUrl: endpoint.url }));
  } finally {
    await endpoint.close();
  }
}
