import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { NO_BROWSER } from '../browser.ts';
import { openPageServer } from '../page-server.ts';
import { graphql, hexId, projectId, seed } from '../seed.ts';
import { choose, fill, inOrder, press, pressInDialog } from './acts.ts';
import { checkRejections } from './rejections.ts';

const CREATE = 'mutation ($input: CreateDashboardInput!) { createDashboard(input: $input) { id } }';
const DELETE = 'mutation ($id: ID!) { deleteDashboard(id: $id) { id } }';
const PANELS = [
  { kind: 'figure', metric: 'spans', aggregates: ['count'], title: 'First' },
  { kind: 'figure', metric: 'spans', aggregates: ['count'], title: 'Second' },
];

const movePanel = (page: Page) => page.getByRole('button', { name: 'Move First' }).press('ArrowRight');

describe('a rejected change of a dashboard', { skip: NO_BROWSER }, () => {
  test('is reported, and the page continues to work', async (t) => {
    const { url } = await openPageServer(t);
    const start = Date.now() - 5_000;
    await seed(url, 'shop', [{ traceId: hexId(1, 16), spanId: hexId(1, 8), name: 'answer', start, latencyMs: 1 }]);
    const id = await projectId(url, 'shop');
    const create = async (name: string): Promise<string> =>
      (
        await graphql<{ createDashboard: { id: string } }>(url, CREATE, {
          input: { projectId: id, name, panels: PANELS },
        })
      ).createDashboard.id;
    const [changed, deleted] = [await create('Changed'), await create('Deleted')];
    const root = `/dashboards/projects/${encodeURIComponent(id)}`;
    const gone = (dashboardId: string) => () => graphql(url, DELETE, { id: dashboardId });

    await checkRejections(t, url, [
      {
        mutation: 'createDashboard',
        at: `${root}/overview`,
        open: inOrder(press('New dashboard'), fill('Name', 'Ours')),
        beforeSubmit: 'offline',
        submit: pressInDialog('Create'),
      },
      {
        mutation: 'patchDashboard',
        at: `${root}/${encodeURIComponent(changed)}`,
        open: inOrder(press('Edit'), movePanel),
        beforeSubmit: gone(changed),
        submit: press('Save'),
      },
      {
        mutation: 'deleteDashboard',
        at: `${root}/${encodeURIComponent(deleted)}`,
        open: choose('Actions of the dashboard', 'Delete…'),
        beforeSubmit: gone(deleted),
        submit: pressInDialog('Delete dashboard'),
      },
    ]);
  });
});
