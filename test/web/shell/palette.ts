import type { Page } from 'playwright-core';

/**
 * Opens the search of all pages, types a text, and waits until Enter opens the result with this name. A result becomes the
 * current one in a frame after it is shown.
 */
export async function findInPalette(page: Page, text: string, name: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search', exact: true }).fill(text);
  await page.getByRole('option', { name }).and(page.locator('[data-active-item]')).waitFor();
}
