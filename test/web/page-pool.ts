import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, CDPSession, Disposable, Page } from 'playwright-core';

// A page in a new browser context starts a renderer, which compiles the interface again. That takes more processor time than
// loading the page, so a page that a test no longer uses is reset and serves the next test.

/** How a test needs a page. */
export interface PageNeeds {
  readonly width: number;
  readonly height: number;
  readonly theme: 'light' | 'dark';
  /** True when the page is not reset for other tests. */
  readonly isSingleUse: boolean;
}

interface PooledPage {
  readonly page: Page;
  readonly session: CDPSession;
  readonly isSingleUse: boolean;
  /** Scripts that the test added to each document of the page. */
  readonly scripts: Disposable[];
  /** Of the server whose pages it shows. */
  origin: string;
}

/** A test has up to three pages at a time, for as many users or windows. */
const IDLE_PAGE_COUNT_MAX = 3;
/** Events that tests listen to. Playwright itself listens to others. */
const PAGE_EVENTS = [
  'console',
  'pageerror',
  'dialog',
  'request',
  'response',
  'requestfinished',
  'requestfailed',
] as const;
const CONTEXT_EVENTS = ['request', 'response', 'page', 'console'] as const;

const idle: PooledPage[] = [];
const used = new Map<Page, PooledPage>();

/** Returns a page that shows nothing, with empty storage, in a context without other pages. */
export async function takePage(browser: Browser, origin: string, needs: PageNeeds): Promise<Page> {
  const { width, height, theme, isSingleUse } = needs;
  const pooled = (isSingleUse ? undefined : idle.pop()) ?? (await newPage(browser, isSingleUse));
  const { page } = pooled;
  pooled.origin = origin;
  used.set(page, pooled);
  await page.setViewportSize({ width, height });
  // A page that waits for a response of a busy machine would draw its animations at 60 frames a second.
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  return page;
}

/** Resets the page for the next test, or closes its context. */
export async function returnPage(page: Page): Promise<void> {
  const pooled = used.get(page);
  used.delete(page);
  const isKept = pooled !== undefined && !pooled.isSingleUse && !page.isClosed() && idle.length < IDLE_PAGE_COUNT_MAX;
  if (!isKept) return page.context().close();
  await reset(pooled);
  idle.push(pooled);
}

/** Returns all pages that tests have not returned, and closes all other contexts. */
export async function returnAllPages(browser: Browser): Promise<void> {
  for (const page of [...used.keys()]) await returnPage(page);
  const kept = new Set<BrowserContext>(idle.map(({ page }) => page.context()));
  await Promise.all(browser.contexts().map((context) => kept.has(context) || context.close()));
}

async function newPage(browser: Browser, isSingleUse: boolean): Promise<PooledPage> {
  const context = await browser.newContext({ timezoneId: 'UTC' });
  const page = await context.newPage();
  const scripts: Disposable[] = [];
  const addInitScript = page.addInitScript.bind(page) as (
    ...script: Parameters<Page['addInitScript']>
  ) => Promise<Disposable>;
  page.addInitScript = async (...script: Parameters<Page['addInitScript']>) => {
    const added = await addInitScript(...script);
    scripts.push(added);
    return added;
  };
  return { page, session: await context.newCDPSession(page), isSingleUse, scripts, origin: '' };
}

async function reset({ page, session, scripts, origin }: PooledPage): Promise<void> {
  const context = page.context();
  for (const event of PAGE_EVENTS) page.removeAllListeners(event);
  for (const event of CONTEXT_EVENTS) context.removeAllListeners(event);
  await Promise.all(context.pages().map((other) => other === page || other.close()));
  await Promise.all(scripts.splice(0).map((script) => script.dispose()));
  // Fails on a page of the browser itself, which has no storage.
  await page.evaluate('sessionStorage.clear()').catch(() => undefined);
  // A page with unsaved changes asks before it is left.
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(await blankAddress());
  page.removeAllListeners('dialog');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.setOffline(false);
  await context.clearPermissions();
  await context.clearCookies();
  // Outside of the window, where the pointer of a new page is.
  await page.mouse.move(-1, -1);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await session.send('Page.resetNavigationHistory');
}

let blank: Promise<string> | undefined;

/**
 * Address of an empty document. The browser keeps the renderer, as it has the host of the servers under test; `about:blank`
 * has another one.
 */
function blankAddress(): Promise<string> {
  blank ??= new Promise((resolve) => {
    const server = createServer((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html', connection: 'close' }).end('<!doctype html>'),
    );
    server.unref();
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
  });
  return blank;
}
