import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';

/**
 * Runs in every page before its own scripts. `__until(selector)` resolves with the time of the first frame that shows
 * such an element, in ms since the navigation began. `__asked` contains the requests for data with the times of their
 * responses.
 */
const CLOCK = `
  window.__asked = [];
  const fetchOnce = window.fetch;
  window.fetch = async (url, options) => {
    const asked = { at: performance.now(), name: typeof options?.body === 'string' ? JSON.parse(options.body).operationName : '' };
    if (String(url).endsWith('/graphql')) window.__asked.push(asked);
    try {
      return await fetchOnce(url, options);
    } finally {
      asked.ms = performance.now() - asked.at;
    }
  };
  window.__until = (selector, isThere = (element) => element) => new Promise((resolve) => {
    const look = () => {
      const element = document.querySelector(selector);
      if (!element || !isThere(element)) return false;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
      return true;
    };
    const observer = new MutationObserver(look);
    if (!look()) observer.observe(document, { childList: true, subtree: true, characterData: true, attributes: true });
  });
`;

const VIEWPORT = { width: 1440, height: 900 };

/** The only state of a browser between visits is the file cache of the context. */
export async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.setViewportSize(VIEWPORT);
  await page.addInitScript(CLOCK);
  return page;
}

/** Milliseconds from the beginning of the navigation until a frame shows the element, as the browser measures them. */
export async function visit(page: Page, url: string, selector: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' });
  return Number(await page.evaluate(`window.__until(${JSON.stringify(selector)})`));
}

/** From a click on a link until a frame shows the element. */
export async function clickMs(page: Page, link: string, selector: string): Promise<number> {
  await settled(page);
  await page.evaluate(`{
    addEventListener('click', () => {
      window.__clickedAt = performance.now();
      window.__opened = window.__until(${JSON.stringify(selector)});
    }, { capture: true, once: true });
    undefined;
  }`);
  await page.locator(link).first().click();
  return Number(await page.evaluate('window.__opened.then((at) => at - window.__clickedAt)'));
}

interface Asked {
  readonly name: string;
  /** Since the navigation began. */
  readonly at: number;
  /** Time of the response. Absent before. */
  readonly ms?: number;
}

export const askedBy = async (page: Page): Promise<readonly Asked[]> =>
  (await page.evaluate('window.__asked')) as Asked[];

/** Time until a page has all responses. */
export async function settled(page: Page): Promise<void> {
  while (!(await page.evaluate('window.__asked.every(({ ms }) => ms !== undefined)'))) await delay(20);
}

/** Bytes of scripts on the wire. */
export const scriptBytes = async (page: Page): Promise<number> =>
  Number(
    await page.evaluate(
      'performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".js")).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)',
    ),
  );

/** Time from the last key of a filter until a frame shows other rows, without waiting for the server. */
export async function filterMs(page: Page, filter: string): Promise<number> {
  await settled(page);
  await page.evaluate(`{
    const before = document.querySelector('.table').textContent;
    addEventListener('input', () => {
      window.__asked.length = 0;
      window.__typedAt = performance.now();
    }, { capture: true, once: true });
    window.__changed = window.__until('.table', (rows) => rows.textContent !== before);
    undefined;
  }`);
  await page.getByRole('combobox', { name: 'Filter' }).fill(filter);
  const ms = Number(await page.evaluate('window.__changed.then((at) => at - window.__typedAt)'));
  const asked = await askedBy(page);
  const answerMs = (wanted: string) => asked.find(({ name }) => name === wanted)?.ms ?? Number.NaN;
  return ms - answerMs('validateSpanFilter') - answerMs('projectSpans');
}

/** The longest frame while an element scrolls by this number of pixels per frame. */
export async function longestFrame(page: Page, selector: string, pixels: number): Promise<number> {
  return Number(
    await page.evaluate(`new Promise((resolve) => {
      const rows = document.querySelector('${selector}');
      let longest = 0, last = performance.now(), count = 0;
      const step = (now) => {
        longest = count > 1 ? Math.max(longest, now - last) : 0;
        last = now;
        rows.scrollTop += ${pixels};
        count += 1;
        if (count < 60) requestAnimationFrame(step); else resolve(longest);
      };
      requestAnimationFrame(step);
    })`),
  );
}

/** Bytes of a page's scripts and elements after a garbage collection. */
export async function heldBytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const usage = (await session.send('Runtime.getHeapUsage')) as { usedSize: number; embedderHeapUsedSize?: number };
  return usage.usedSize + (usage.embedderHeapUsedSize ?? 0);
}
