import { readFileSync } from 'node:fs';
import type { HtmlPage } from '../../server/html-page.ts';
import { PAGE_STYLE } from '../../server/page-style.ts';
import type { HttpRequest } from '../../server/route.ts';

/** A browser that opens the address itself; one that gives a query wants its answer. */
export const wantsConsole = (request: HttpRequest): boolean =>
  (request.header('accept') ?? '').includes('text/html') && !new URLSearchParams(request.query).has('query');

/** A page to write queries in: completion, documentation, history; `console/` holds its parts. */
export const consolePage = (): HtmlPage => ({
  title: 'GraphQL',
  style: PAGE_STYLE + read('console.css'),
  script: `${read('complete.js')}\n${read('console.js')}`,
  asksServer: true,
  body: read('console.html'),
});

const read = (name: string): string => readFileSync(new URL(`./console/${name}`, import.meta.url), 'utf8');
