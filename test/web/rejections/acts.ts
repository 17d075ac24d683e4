import type { Page } from 'playwright-core';

type Act = (page: Page) => Promise<unknown>;

/** Presses the button with exactly this name. */
export const press =
  (name: string): Act =>
  (page) =>
    page.getByRole('button', { name, exact: true }).click();

/** Presses a button of the topmost dialog. */
export const pressInDialog =
  (name: string | RegExp): Act =>
  (page) =>
    page.getByRole('dialog').last().getByRole('button', { name }).click();

/** Fills the first field of the topmost dialog whose label starts with these words. */
export const fill =
  (label: string, text: string): Act =>
  (page) =>
    page
      .getByRole('dialog')
      .last()
      .getByLabel(new RegExp(`^${label}`))
      .first()
      .fill(text);

/** Chooses an item of the menu with this name. */
export const choose =
  (menu: string, item: string | RegExp): Act =>
  async (page) => {
    await page.getByRole('button', { name: menu, exact: true }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };

/** Waits for a text of the page. */
export const until =
  (text: string | RegExp): Act =>
  (page) =>
    page.getByText(text).first().waitFor();

export const inOrder =
  (...acts: readonly Act[]): Act =>
  async (page) => {
    for (const act of acts) await act(page);
  };
