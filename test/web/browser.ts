import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import { returnAllPages, returnPage, takePage } from './page-pool.ts';

/** The headless shell comes first: it has the same engine as Chromium and takes a third less processor time. */
const PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
/** Undefined where the machine has no Chromium. */
export const BROWSER_PATH = PATHS.find(existsSync);

/** Why tests with a browser are left out here; false when they are not. */
export const NO_BROWSER: string | false = BROWSER_PATH === undefined && 'there is no Chromium on this machine';

/** A page, and what went wrong on it. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors on the console, exceptions, requests to somewhere else, dialogs: there should be none. */
  readonly pageErrors: string[];
  /** Requests for data so far, by the name of the operation. */
  readonly operations: string[];
}

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
  /** True when the test replaces the clock, gives scripts to the context, or lets requests fail: no other test can use the page then. */
  readonly isSingleUse?: boolean;
}

let launched: Promise<Browser> | undefined;
after(async () => (await launched)?.close());

/** The one browser of a process. Pages that a test has not closed are closed after it. */
export async function openBrowser(t: Pick<TestContext, 'after'>): Promise<Browser> {
  launched ??= chromium.launch({
    executablePath: BROWSER_PATH!,
    // A page lives for seconds. Compiling its code for long runs takes a fifth of the processor time.
    args: ['--no-sandbox', '--disable-gpu', '--js-flags=--no-opt --no-maglev'],
  });
  const browser = await launched;
  t.after(() => returnAllPages(browser));
  return browser;
}

/** Opens a page without cookies, stored data or history, in a context of its own. */
export async function openPage(browser: Browser, origin: string, options: PageOptions = {}): Promise<WatchedPage> {
  const { width = 1440, height = 900, theme = 'light', isSingleUse = false } = options;
  const page = await takePage(browser, origin, { width, height, theme, isSingleUse });
  // The machine may be busy with other tests.
  page.setDefaultTimeout(60_000);
  const pageErrors: string[] = [];
  const operations: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') pageErrors.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => pageErrors.push(`exception: ${error.message}`));
  page.on('dialog', (dialog) => {
    pageErrors.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) pageErrors.push(`request to ${url}`);
    const body = url.endsWith('/graphql') ? request.postDataJSON() : undefined;
    if (body) operations.push((body as { operationName: string }).operationName);
  });
  return { page, pageErrors, operations };
}

/** Ends the test's use of a page. Another test may get it. */
export const closePage = returnPage;

/**
 * Lets requests of the page fail, as without a network. A route of Playwright would stop every other request, too, and
 * disable the cache, and loading a page would take a third more processor time.
 */
export async function failRequests(page: Page, urlPattern: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  session.on('Fetch.requestPaused', ({ requestId }) => {
    // The page may be closed meanwhile.
    session.send('Fetch.failRequest', { requestId, errorReason: 'Failed' }).catch(() => undefined);
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern }] });
}

/** Until a table has rows; an error says what the page shows instead. */
export async function untilRows({ page, pageErrors }: Pick<WatchedPage, 'page' | 'pageErrors'>): Promise<void> {
  try {
    await page.locator('.table-row').first().waitFor();
  } catch (error) {
    const shown = await page.locator('main').textContent();
    throw new Error(`no rows at ${page.url()}:\n${pageErrors.join('\n')}\n${shown}`, { cause: error });
  }
}

/** Maximum time for a state that follows from what a test has waited for. */
const STATE_MS_MAX = 20_000;
/** Pauses between checks of a state. Most states follow at once, and a check of the others takes time from what they wait for. */
const PAUSE_MS = { first: 20, max: 200, growth: 1.5 };

/**
 * Repeats a check until no assertion of it fails, and throws its last error after 20 s. It is for a state that a response or
 * a later render of the page produces, when the test can wait only for something that is visible before.
 */
export async function untilPasses(check: () => Promise<void>): Promise<void> {
  const giveUpAt = Date.now() + STATE_MS_MAX;
  for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(pauseMs * PAUSE_MS.growth, PAUSE_MS.max)) {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof assert.AssertionError) || Date.now() > giveUpAt) throw error;
    }
    await sleep(pauseMs);
  }
}

/**
 * Waits until the page has sent no request for 2.5 s, because the first ones may take long. Returns the number of
 * requests.
 */
export async function untilQuiet(page: Page, operations: readonly string[]): Promise<number> {
  let before = -1;
  for (let round = 0; round < 12 && before !== operations.length; round++) {
    before = operations.length;
    await page.waitForTimeout(2_500);
  }
  assert.equal(operations.length, before, operations.slice(before).join());
  return before;
}
