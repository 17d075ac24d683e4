import { describe, test } from 'node:test';
import { NO_BROWSER } from './browser.ts';
import { walkPages } from './walk-pages.ts';

describe('each page of the interface', { skip: NO_BROWSER }, () => {
  test('loads without an error', async (t) => {
    await walkPages(t, [{ theme: 'light', width: 1440, height: 900 }]);
  });
});
