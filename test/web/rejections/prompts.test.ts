import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { NO_BROWSER } from '../browser.ts';
import { openPageServer } from '../page-server.ts';
import { choose, fill, inOrder, press, pressInDialog } from './acts.ts';
import { dataClient } from './data-client.ts';
import { checkRejections } from './rejections.ts';

const CREATE_LABEL = `mutation ($input: CreatePromptLabelInput!) {
  createPromptLabel(input: $input) { promptLabels { id } } }`;
const DELETE_LABEL = 'mutation ($id: ID!) { deletePromptLabels(input: { promptLabelIds: [$id] }) { __typename } }';

const chooseLabel = (page: Page) => page.locator('.label-item').first().click();

describe('a rejected change of a prompt', { skip: NO_BROWSER }, () => {
  test('is reported, and the page continues to work', async (t) => {
    const server = await openPageServer(t);
    const other = dataClient(server.url);
    const labelIds: string[] = [];
    for (const name of ['golden', 'silver', 'bronze']) {
      const { createPromptLabel } = await other.ask<{ createPromptLabel: { promptLabels: { id: string }[] } }>(
        CREATE_LABEL,
        { input: { name, color: '#aa3377' } },
      );
      labelIds.push(createPromptLabel.promptLabels[0]!.id);
    }
    const prompts = new Map<string, { id: string; versionId: string }>();
    for (const name of ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta']) {
      prompts.set(name, await other.createPrompt(name));
    }
    const gone = (name: string) => () => other.deletePrompt(prompts.get(name)!.id);
    const versionOf = (name: string) =>
      `/prompts/${[prompts.get(name)!.id, 'versions', prompts.get(name)!.versionId].map(encodeURIComponent).join('/')}`;
    await other.ask('mutation ($input: SetPromptLabelsInput!) { setPromptLabels(input: $input) { __typename } }', {
      input: { promptId: prompts.get('eta')!.id, promptLabelIds: [labelIds[2]] },
    });

    await checkRejections(t, server.url, [
      {
        mutation: 'addPromptLabels',
        at: '/prompts',
        open: inOrder(choose('Actions for alpha', 'Labels'), chooseLabel),
        beforeSubmit: gone('alpha'),
        submit: pressInDialog('Apply'),
      },
      {
        mutation: 'removePromptLabels',
        at: '/prompts',
        open: inOrder(choose('Actions for eta', 'Labels'), (page) =>
          page.locator('.label-item', { hasText: 'bronze' }).click(),
        ),
        beforeSubmit: gone('eta'),
        submit: pressInDialog('Apply'),
      },
      {
        mutation: 'clonePrompt',
        at: '/prompts',
        open: inOrder(choose('Actions for beta', 'Clone'), fill('Name', 'gamma')),
        beforeSubmit: 'nothing',
        submit: pressInDialog('Clone prompt'),
      },
      {
        mutation: 'patchPrompt',
        at: '/prompts',
        open: inOrder(choose('Actions for gamma', /^Edit/), fill('Description', 'Changed')),
        beforeSubmit: gone('gamma'),
        submit: pressInDialog('Save'),
      },
      {
        mutation: 'deletePrompt',
        at: '/prompts',
        open: choose('Actions for delta', 'Delete prompt'),
        beforeSubmit: gone('delta'),
        submit: pressInDialog('Delete prompt'),
      },
      {
        mutation: 'setPromptTag',
        at: versionOf('epsilon'),
        open: inOrder(press('Tag'), fill('Tag', 'staging')),
        beforeSubmit: gone('epsilon'),
        submit: pressInDialog('Add tag'),
      },
      {
        mutation: 'deletePromptTag',
        at: versionOf('zeta'),
        open: press('Remove the tag live'),
        beforeSubmit: gone('zeta'),
        submit: pressInDialog('Remove tag'),
      },
      {
        mutation: 'createPromptLabel',
        at: '/settings/prompts',
        open: inOrder(press('Create label'), fill('Name', 'golden')),
        beforeSubmit: 'nothing',
        submit: pressInDialog('Create label'),
      },
      {
        mutation: 'patchPromptLabel',
        at: '/settings/prompts',
        open: press('Edit golden'),
        beforeSubmit: () => other.ask(DELETE_LABEL, { id: labelIds[0] }),
        submit: pressInDialog('Save'),
      },
      {
        mutation: 'deletePromptLabel',
        at: '/settings/prompts',
        open: press('Delete silver'),
        beforeSubmit: 'offline',
        submit: pressInDialog(/^Delete/),
      },
    ]);
  });
});
