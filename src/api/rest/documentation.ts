import { htmlResponse } from '../../server/pages/html-page.ts';
import { jsonTextResponse, type Route } from '../../server/route.ts';
import type { RestRoute } from './define-route.ts';
import { docsPage } from './docs-page.ts';
import { toOpenApi } from './openapi.ts';

/** `/openapi.json`, and `/docs` to read it. They change only with the build, so they are built once. */
export function documentationRoutes(routes: readonly RestRoute[], version: string): Route[] {
  const document = toOpenApi(
    routes.map(({ described }) => described),
    version,
  );
  const json = JSON.stringify(document);
  const docs = htmlResponse(docsPage(document));
  const open = { method: 'GET', access: 'open', bodyBytesMax: 0 } as const;
  return [
    { ...open, path: '/openapi.json', handle: () => jsonTextResponse(200, json) },
    { ...open, path: '/docs', handle: () => docs },
  ];
}
