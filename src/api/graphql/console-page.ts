import { readFileSync } from 'node:fs';
import type { HtmlPage } from '../../server/html-page.ts';
import { PAGE_STYLE } from '../../server/page-style.ts';
import type { HttpRequest } from '../../server/route.ts';

/** Whether a browser opens the address itself. An address with a query is answered. */
export const wantsConsole = (request: HttpRequest): boolean =>
  (request.header('accept') ?? '').includes('text/html') && !new URLSearchParams(request.query).has('query');

/** Page for writing queries, with completion, documentation and history. Its parts are in `console/`. */
export const consolePage = (): HtmlPage => ({
  title: 'GraphQL',
  style: PAGE_STYLE + read('console.css'),
  script: `${read('complete.js')}\n${read('console.js')}`,
  asksServer: true,
  body: read('console.html'),
});

const read = (name: string): string => readFileSync(new URL(`./console/${name}`, import.meta.url), 'utf8');
