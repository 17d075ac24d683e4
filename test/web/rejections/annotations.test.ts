import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { agentTrace } from '../agent-trace.ts';
import { NO_BROWSER } from '../browser.ts';
import { otherClient } from '../other-client.ts';
import { openPageServer } from '../page-server.ts';
import { hexId, projectId, seed } from '../seed.ts';
import { pressInDialog } from './acts.ts';
import { checkRejections } from './rejections.ts';

const rate = (label: string) => (page: Page) =>
  page.getByRole('group', { name: 'quality' }).getByRole('button', { name: label }).click();
const untilConfig = (page: Page) => page.getByRole('group', { name: 'quality' }).waitFor();
const pane = async (page: Page) => {
  await page.locator('.tree-row').first().waitFor();
  await page.keyboard.press('e');
  await untilConfig(page);
};
const tracePane = async (page: Page) => {
  await page.getByRole('button', { name: 'Annotate trace' }).waitFor();
  await page.keyboard.press('Shift+E');
  await untilConfig(page);
};
const sessionPane = async (page: Page) => {
  await page.locator('.turn').waitFor();
  await page.keyboard.press('e');
  await untilConfig(page);
};
const documentPane = async (page: Page) => {
  await page.locator('.tree-row', { hasText: 'search_guide' }).click();
  await page.getByRole('button', { name: 'Annotate document 2' }).click();
  await untilConfig(page);
};
/** Annotated here before, so that the annotation is changed or deleted. */
const annotated = (open: (page: Page) => Promise<unknown>) => async (page: Page) => {
  await open(page);
  await rate('good')(page);
  await page.getByText('You, in the app').waitFor();
};
const toDelete = (open: (page: Page) => Promise<unknown>) => async (page: Page) => {
  await annotated(open)(page);
  await page.getByRole('button', { name: 'Delete quality' }).click();
};
const noteOf = (open: (page: Page) => Promise<unknown>) => async (page: Page) => {
  await open(page);
  await page.getByLabel('New note').fill('Look here');
};
const addNote = (page: Page) => page.getByRole('button', { name: 'Add note' }).click();

describe('a rejected annotation', { skip: NO_BROWSER }, () => {
  test('is reported for spans, traces, sessions and documents, and the page continues to work', async (t) => {
    const server = await openPageServer(t);
    const now = Date.now();
    await seed(
      server.url,
      'shop',
      Array.from({ length: 15 }, (_, index) => index + 1).flatMap((number) =>
        agentTrace(number, { start: now - number * 20_000, session: `talk-${number}` }),
      ),
    );
    const other = otherClient(server.url);
    await other.createConfig('quality', 'shop');
    const shop = `/projects/${encodeURIComponent(await projectId(server.url, 'shop'))}`;
    const trace = (number: number) => `${shop}/traces/${hexId(number, 16)}`;
    const session = async (number: number) =>
      `${shop}/sessions/${encodeURIComponent(await other.sessionNode(`talk-${number}`))}`;
    const goneTrace = (number: number) => () => other.deleteTrace(hexId(number, 16));

    await checkRejections(t, server.url, [
      { mutation: 'addSpanAnnotation', at: trace(1), open: pane, beforeSubmit: goneTrace(1), submit: rate('good') },
      {
        mutation: 'changeSpanAnnotation',
        at: trace(2),
        open: annotated(pane),
        beforeSubmit: goneTrace(2),
        submit: rate('bad'),
      },
      {
        mutation: 'removeSpanAnnotation',
        at: trace(3),
        open: toDelete(pane),
        beforeSubmit: goneTrace(3),
        submit: pressInDialog(/^Delete/),
      },
      { mutation: 'addSpanNote', at: trace(4), open: noteOf(pane), beforeSubmit: goneTrace(4), submit: addNote },
      {
        mutation: 'addTraceAnnotation',
        at: trace(5),
        open: tracePane,
        beforeSubmit: goneTrace(5),
        submit: rate('good'),
      },
      {
        mutation: 'changeTraceAnnotation',
        at: trace(6),
        open: annotated(tracePane),
        beforeSubmit: goneTrace(6),
        submit: rate('bad'),
      },
      {
        mutation: 'removeTraceAnnotation',
        at: trace(7),
        open: toDelete(tracePane),
        beforeSubmit: goneTrace(7),
        submit: pressInDialog(/^Delete/),
      },
      { mutation: 'addTraceNote', at: trace(8), open: noteOf(tracePane), beforeSubmit: goneTrace(8), submit: addNote },
      {
        mutation: 'addSessionAnnotation',
        at: await session(9),
        open: sessionPane,
        beforeSubmit: goneTrace(9),
        submit: rate('good'),
      },
      {
        mutation: 'changeSessionAnnotation',
        at: await session(10),
        open: annotated(sessionPane),
        beforeSubmit: goneTrace(10),
        submit: rate('bad'),
      },
      {
        mutation: 'removeSessionAnnotation',
        at: await session(11),
        open: toDelete(sessionPane),
        beforeSubmit: goneTrace(11),
        submit: pressInDialog(/^Delete/),
      },
      {
        mutation: 'addSessionNote',
        at: await session(12),
        open: noteOf(sessionPane),
        beforeSubmit: goneTrace(12),
        submit: addNote,
      },
      {
        mutation: 'addDocumentAnnotation',
        at: trace(13),
        open: documentPane,
        beforeSubmit: goneTrace(13),
        submit: rate('good'),
      },
      {
        mutation: 'changeDocumentAnnotation',
        at: trace(14),
        open: annotated(documentPane),
        beforeSubmit: goneTrace(14),
        submit: rate('bad'),
      },
      {
        mutation: 'removeDocumentAnnotation',
        at: trace(15),
        open: toDelete(documentPane),
        beforeSubmit: goneTrace(15),
        submit: pressInDialog(/^Delete/),
      },
    ]);
  });
});
