import { htmlResponse } from '../../server/pages/html-page.ts';
import { type HttpResponse, jsonTextResponse, type Route } from '../../server/route.ts';
import type { RestRoute } from './define-route.ts';
import { docsPage } from './docs-page.ts';
import { toOpenApi } from './openapi.ts';

/** `/openapi.json`, and `/docs` to read it. They change only with the build, so the first request builds both. */
export function documentationRoutes(routes: readonly RestRoute[], version: string): Route[] {
  let built: { readonly json: string; readonly docs: HttpResponse } | undefined;
  const build = () => {
    const document = toOpenApi(
      routes.map(({ described }) => described),
      version,
    );
    return { json: JSON.stringify(document), docs: htmlResponse(docsPage(document)) };
  };
  const documentation = () => (built ??= build());
  const open = { method: 'GET', access: 'open', bodyBytesMax: 0 } as const;
  return [
    { ...open, path: '/openapi.json', handle: () => jsonTextResponse(200, documentation().json) },
    { ...open, path: '/docs', handle: () => documentation().docs },
  ];
}
