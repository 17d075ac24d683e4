import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { agentTrace } from './agent-trace.ts';
import { NO_BROWSER, openBrowser, openPage } from './browser.ts';
import { otherClient } from './other-client.ts';
import { openPageServer } from './page-server.ts';
import { hexId, projectId, seed } from './seed.ts';

interface Refusal {
  /** As a `.graphql` file of the interface names it. */
  readonly mutation: string;
  /** Below the address of the server. */
  readonly at: string;
  /** Up to the last click. */
  readonly open: (page: Page) => Promise<unknown>;
  /** Action of another client that makes the server reject the mutation. `offline`: the network fails instead. */
  readonly beforeSubmit: (() => Promise<unknown>) | 'offline' | 'nothing';
  readonly submit: (page: Page) => Promise<unknown>;
}

describe('a rejected change', { skip: NO_BROWSER }, () => {
  test('is reported wherever users change data, and the page continues to work', async (t) => {
    const server = await openPageServer(t);
    const now = Date.now();
    const traces = Array.from({ length: 20 }, (_, index) => index + 1);
    await seed(
      server.url,
      'shop',
      traces.flatMap((number) => agentTrace(number, { start: now - number * 20_000, session: `talk-${number}` })),
    );
    for (const [index, name] of [
      'gone-1',
      'gone-2',
      'gone-3',
      'gone-4',
      'gone-5',
      'gone-6',
      'gone-7',
      'gone-8',
    ].entries()) {
      const [traceId, spanId] = [hexId(900 + index, 16), hexId(900_000 + index, 8)];
      await seed(server.url, name, [{ traceId, spanId, name, start: now - 5_000, latencyMs: 1 }]);
    }
    const other = otherClient(server.url);
    const shop = `/projects/${encodeURIComponent(await projectId(server.url, 'shop'))}`;
    const place = async (name: string) => `/projects/${encodeURIComponent(await projectId(server.url, name))}`;
    await other.createConfig('quality', 'shop');
    await other.createConfig('spare');
    await other.createConfig('toDelete');
    await other.createConfig('worn', 'gone-7');
    await other.createPolicy('A month');
    await other.createPolicy('A year');
    await other.createModel('house-model');
    await other.createModel('guest-model');
    await other.annotateSpan(hexId(900_007, 8), 'tone');
    await other.annotateTrace(hexId(18, 16), 'tone');
    await other.annotateSession('talk-18', 'tone');

    const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
    const inDialog = (page: Page, name: string | RegExp) =>
      page.getByRole('dialog').last().getByRole('button', { name });
    const judge = (label: string) => (page: Page) =>
      page.getByRole('group', { name: 'quality' }).getByRole('button', { name: label }).click();
    const note = async (page: Page) => {
      await page.getByLabel('New note').fill('Look here');
    };
    const trace = (number: number) => `${shop}/traces/${hexId(number, 16)}`;
    const pane = async (page: Page) => {
      await page.locator('.tree-row').first().waitFor();
      await page.keyboard.press('e');
      await page.getByRole('group', { name: 'quality' }).waitFor();
    };
    const tracePane = async (page: Page) => {
      await page.getByRole('button', { name: 'Annotate trace' }).waitFor();
      await page.keyboard.press('Shift+E');
      await page.getByRole('group', { name: 'quality' }).waitFor();
    };
    const session = async (number: number) =>
      `${shop}/sessions/${encodeURIComponent(await other.sessionNode(`talk-${number}`))}`;
    const sessionPane = async (page: Page) => {
      await page.locator('.turn').waitFor();
      await page.keyboard.press('e');
      await page.getByRole('group', { name: 'quality' }).waitFor();
    };
    const documentPane = async (page: Page) => {
      await page.locator('.tree-row', { hasText: 'search_guide' }).click();
      await page.getByRole('button', { name: 'Annotate document 2' }).click();
      await page.getByRole('group', { name: 'quality' }).waitFor();
    };
    /** Judged here before, so that it is changed or deleted. */
    const judged = (open: (page: Page) => Promise<unknown>) => async (page: Page) => {
      await open(page);
      await judge('good')(page);
      await page.getByText('You, in the app').waitFor();
    };
    const toDelete = (open: (page: Page) => Promise<unknown>) => async (page: Page) => {
      await judged(open)(page);
      await page.getByRole('button', { name: 'Delete quality' }).click();
    };
    const remove = (page: Page) => inDialog(page, /^Delete/).click();
    const save = (page: Page) => inDialog(page, 'Save').click();
    const addNote = (page: Page) => page.getByRole('button', { name: 'Add note' }).click();
    const noteOf = (open: (page: Page) => Promise<unknown>) => async (page: Page) => {
      await open(page);
      await note(page);
    };
    const goneTrace = (number: number) => () => other.deleteTrace(hexId(number, 16));
    const menu = (project: string, item: string) => async (page: Page) => {
      await page.getByRole('button', { name: `Actions for ${project}` }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    const press = (name: string) => (page: Page) => button(page, name).click();
    const fill = (label: string, text: string) => (page: Page) =>
      page
        .getByRole('dialog')
        .getByLabel(new RegExp(`^${label}`))
        .first()
        .fill(text);
    const both =
      (...acts: readonly ((page: Page) => Promise<unknown>)[]) =>
      async (page: Page) => {
        for (const act of acts) await act(page);
      };
    const rows = (what: string) => async (page: Page) => {
      await page.getByLabel('Select row').first().click();
      await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: what }).click();
    };
    const deleteNames = (of: string) => (page: Page) =>
      page.getByRole('button', { name: `Delete tone of ${of}` }).click();
    const chosen = (name: string) => (page: Page) => page.getByRole('dialog').getByRole('checkbox', { name }).click();

    const refusals: readonly Refusal[] = [
      { mutation: 'addSpanAnnotation', at: trace(1), open: pane, beforeSubmit: goneTrace(1), submit: judge('good') },
      {
        mutation: 'changeSpanAnnotation',
        at: trace(2),
        open: judged(pane),
        beforeSubmit: goneTrace(2),
        submit: judge('bad'),
      },
      {
        mutation: 'removeSpanAnnotation',
        at: trace(3),
        open: toDelete(pane),
        beforeSubmit: goneTrace(3),
        submit: remove,
      },
      { mutation: 'addSpanNote', at: trace(4), open: noteOf(pane), beforeSubmit: goneTrace(4), submit: addNote },
      {
        mutation: 'addTraceAnnotation',
        at: trace(5),
        open: tracePane,
        beforeSubmit: goneTrace(5),
        submit: judge('good'),
      },
      {
        mutation: 'changeTraceAnnotation',
        at: trace(6),
        open: judged(tracePane),
        beforeSubmit: goneTrace(6),
        submit: judge('bad'),
      },
      {
        mutation: 'removeTraceAnnotation',
        at: trace(7),
        open: toDelete(tracePane),
        beforeSubmit: goneTrace(7),
        submit: remove,
      },
      { mutation: 'addTraceNote', at: trace(8), open: noteOf(tracePane), beforeSubmit: goneTrace(8), submit: addNote },
      {
        mutation: 'addSessionAnnotation',
        at: await session(9),
        open: sessionPane,
        beforeSubmit: goneTrace(9),
        submit: judge('good'),
      },
      {
        mutation: 'changeSessionAnnotation',
        at: await session(10),
        open: judged(sessionPane),
        beforeSubmit: goneTrace(10),
        submit: judge('bad'),
      },
      {
        mutation: 'removeSessionAnnotation',
        at: await session(11),
        open: toDelete(sessionPane),
        beforeSubmit: goneTrace(11),
        submit: remove,
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
        submit: judge('good'),
      },
      {
        mutation: 'changeDocumentAnnotation',
        at: trace(14),
        open: judged(documentPane),
        beforeSubmit: goneTrace(14),
        submit: judge('bad'),
      },
      {
        mutation: 'removeDocumentAnnotation',
        at: trace(15),
        open: toDelete(documentPane),
        beforeSubmit: goneTrace(15),
        submit: remove,
      },

      {
        mutation: 'createConfig',
        at: '/settings/annotations',
        open: both(press('Create config'), fill('Name', 'quality'), fill('Labels', 'good')),
        beforeSubmit: 'nothing',
        submit: save,
      },
      {
        mutation: 'changeConfig',
        at: '/settings/annotations',
        open: both(press('Edit spare'), fill('Name', 'quality')),
        beforeSubmit: 'nothing',
        submit: save,
      },
      {
        mutation: 'assignConfig',
        at: '/settings/annotations',
        open: both(press('Edit spare'), chosen('gone-6')),
        beforeSubmit: () => other.deleteProject('gone-6'),
        submit: save,
      },
      {
        mutation: 'unassignConfig',
        at: '/settings/annotations',
        open: both(press('Edit worn'), chosen('gone-7')),
        beforeSubmit: () => other.deleteProject('gone-7'),
        submit: save,
      },
      {
        mutation: 'deleteConfig',
        at: '/settings/annotations',
        open: press('Delete worn'),
        beforeSubmit: () => other.deleteConfig('worn'),
        submit: remove,
      },
      {
        mutation: 'detachConfig',
        at: `${shop}/config`,
        open: (page) => page.getByRole('checkbox', { name: /quality/ }).waitFor(),
        beforeSubmit: 'offline',
        submit: (page) => page.getByRole('checkbox', { name: /quality/ }).click(),
      },
      {
        mutation: 'attachConfig',
        at: `${shop}/config`,
        open: (page) => page.getByRole('checkbox', { name: /toDelete/ }).waitFor(),
        beforeSubmit: () => other.deleteConfig('toDelete'),
        submit: (page) => page.getByRole('checkbox', { name: /toDelete/ }).click(),
      },

      {
        mutation: 'createModel',
        at: '/settings/models',
        open: both(press('Create model'), fill('Name', 'broken'), fill('Name pattern', '(')),
        beforeSubmit: 'nothing',
        submit: save,
      },
      {
        mutation: 'updateModel',
        at: '/settings/models',
        open: press('Edit house-model'),
        beforeSubmit: () => other.deleteModel('house-model'),
        submit: save,
      },
      {
        mutation: 'deleteModel',
        at: '/settings/models',
        open: press('Delete guest-model'),
        beforeSubmit: () => other.deleteModel('guest-model'),
        submit: remove,
      },
      {
        mutation: 'createPolicy',
        at: '/settings/retention',
        open: both(press('Create policy'), fill('Name', 'broken')),
        beforeSubmit: 'offline',
        submit: save,
      },
      {
        mutation: 'chooseRetention',
        at: `${shop}/config`,
        open: (page) => page.getByLabel('Retention policy').waitFor(),
        beforeSubmit: () => other.deletePolicy('A year'),
        submit: (page) => page.getByLabel('Retention policy').selectOption({ label: 'A year' }),
      },
      {
        mutation: 'patchPolicy',
        at: '/settings/retention',
        open: press('Edit A month'),
        beforeSubmit: 'offline',
        submit: save,
      },
      {
        mutation: 'deletePolicy',
        at: '/settings/retention',
        open: press('Delete A month'),
        beforeSubmit: () => other.deletePolicy('A month'),
        submit: remove,
      },

      {
        mutation: 'createProject',
        at: '/projects',
        open: both(press('Create project'), fill('Name', 'shop')),
        beforeSubmit: 'nothing',
        submit: (page) => inDialog(page, 'Create').click(),
      },
      {
        mutation: 'patchProject',
        at: '/projects',
        open: menu('gone-1', 'Edit description'),
        beforeSubmit: () => other.deleteProject('gone-1'),
        submit: save,
      },
      {
        mutation: 'clearProject',
        at: '/projects',
        open: both(menu('gone-2', 'Delete traces'), (page) => page.getByRole('radio', { name: 'All traces' }).check()),
        beforeSubmit: () => other.deleteProject('gone-2'),
        submit: (page) => inDialog(page, 'Delete all traces').click(),
      },
      {
        mutation: 'deleteProject',
        at: '/projects',
        open: menu('gone-3', 'Delete project'),
        beforeSubmit: () => other.deleteProject('gone-3'),
        submit: (page) => inDialog(page, 'Delete project').click(),
      },
      {
        mutation: 'describeProject',
        at: `${await place('gone-4')}/config`,
        open: (page) => page.getByLabel('Description').fill('Other'),
        beforeSubmit: () => other.deleteProject('gone-4'),
        submit: press('Save'),
      },
      {
        mutation: 'saveView',
        at: `${await place('gone-5')}/spans`,
        open: both(press('Views'), (page) => page.getByLabel('View name').fill('Mine')),
        beforeSubmit: () => other.deleteProject('gone-5'),
        submit: press('Save'),
      },
      {
        mutation: 'deleteSavedView',
        at: `${shop}/spans`,
        open: async (page) => {
          await other.saveView('shop', 'Ours');
          await press('Views')(page);
          await press('Delete Ours')(page);
        },
        beforeSubmit: () => other.deleteView('shop'),
        submit: (page) => inDialog(page, 'Delete view').click(),
      },
      {
        mutation: 'deleteSpanAnnotationsOfName',
        at: `${await place('gone-8')}/config`,
        open: deleteNames('spans'),
        beforeSubmit: () => other.deleteProject('gone-8'),
        submit: (page) => inDialog(page, /^Delete/).click(),
      },
      {
        mutation: 'deleteTraceAnnotationsOfName',
        at: `${shop}/config`,
        open: deleteNames('traces'),
        beforeSubmit: 'offline',
        submit: (page) => inDialog(page, /^Delete/).click(),
      },
      {
        mutation: 'deleteSessionAnnotationsOfName',
        at: `${shop}/config`,
        open: deleteNames('sessions'),
        beforeSubmit: 'offline',
        submit: (page) => inDialog(page, /^Delete/).click(),
      },
      {
        mutation: 'changeSecrets',
        at: '/settings/secrets',
        open: async (page) => {
          await page.getByRole('button', { name: 'Store secret' }).click();
          await page.getByLabel(/^Name/).fill('A_KEY');
          await page.getByLabel(/^Value/).fill('a value');
        },
        beforeSubmit: 'offline',
        submit: (page) => inDialog(page, 'Store secret').click(),
      },
      {
        mutation: 'annotateTraces',
        at: `${shop}/traces`,
        open: both(rows('Annotate'), judge('good')),
        beforeSubmit: () => other.deleteNewestTrace('shop'),
        submit: (page) => inDialog(page, /^Annotate 1/).click(),
      },
      {
        mutation: 'annotateSpans',
        at: `${shop}/spans`,
        open: both(rows('Annotate'), judge('good')),
        beforeSubmit: () => other.deleteNewestTrace('shop'),
        submit: (page) => inDialog(page, /^Annotate 1/).click(),
      },
      {
        mutation: 'transferTraces',
        at: `${shop}/traces`,
        open: both(rows('Move'), (page) => page.getByRole('radio', { name: 'default' }).check()),
        beforeSubmit: () => other.deleteNewestTrace('shop'),
        submit: (page) => inDialog(page, 'Move 1 trace').click(),
      },
      {
        mutation: 'deleteTraces',
        at: `${shop}/traces`,
        open: rows('Delete'),
        beforeSubmit: () => other.deleteNewestTrace('shop'),
        submit: (page) => inDialog(page, 'Delete 1 trace').click(),
      },
    ];
    assert.deepEqual(refusals.map(({ mutation }) => mutation).sort(), mutationsOfTheInterface());

    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url);
    // The page does not receive changes of other clients.
    await page.context().route('**/events?*', (route) => route.abort());
    page.setDefaultTimeout(15_000);
    let words: string | undefined;
    page.on('response', async (response) => {
      const { operationName } = response.url().endsWith('/graphql') ? response.request().postDataJSON() : {};
      if (operationName !== tried) return;
      words = ((await response.json()) as { errors?: { message: string }[] }).errors?.[0]?.message;
    });
    let tried = '';
    await page.goto(`${server.url}/settings`);
    await page.evaluate(`localStorage.setItem('spandrel.preferences', '{"isLive":false,"timeRangeKey":"1h"}')`);
    for (const { mutation, at, open, beforeSubmit, submit } of refusals) {
      await t.test(mutation, async () => {
        tried = mutation;
        words = undefined;
        await page.goto(server.url + at);
        await open(page);
        const isOffline = beforeSubmit === 'offline';
        if (isOffline) {
          await page.route('**/graphql', (route) =>
            route.request().postDataJSON().operationName === mutation ? route.abort() : route.continue(),
          );
        } else if (beforeSubmit !== 'nothing') await beforeSubmit();
        await submit(page);
        const alert = page.getByRole('alert').filter({ hasText: /\S/ }).first();
        await alert.waitFor();
        const told = (await alert.textContent()) ?? '';
        await page.unrouteAll();
        assert(isOffline || words !== undefined, `the server refused ${mutation}`);
        assert(told.includes(isOffline ? 'The server does not respond.' : words!), `${told} has the words ${words}`);

        for (let times = 0; times < 2; times++) await page.keyboard.press('Escape');
        await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click();
        await page.getByRole('button', { name: 'dark' }).waitFor();
        assert.equal(await page.getByText('could not be displayed').count(), 0);
      });
    }
    assert.deepEqual(
      pageErrors.filter((pageError) => !pageError.includes('net::ERR_FAILED')),
      [],
    );
  });
});

/** Mutations of the access of a project need sign-in. `access/project-access.test.ts` covers them. */
const OF_PROJECT_ACCESS = new Set(['setPrivacy', 'setMember', 'removeMember']);

/** Without those that need sign-in, which the tests of accounts cover. */
function mutationsOfTheInterface(): string[] {
  const files = readdirSync('src/web', { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.includes('/generated/'),
  );
  const text = files.map((path) => readFileSync(join('src/web', path), 'utf8')).join('\n');
  const mutations = text.matchAll(/name: '(\w+)',\n {2}text: .*\n {2}access: '(?!person|strictAdmin)/g);
  return Array.from(mutations, ([, name]) => name!)
    .filter((name) => !OF_PROJECT_ACCESS.has(name))
    .sort();
}
