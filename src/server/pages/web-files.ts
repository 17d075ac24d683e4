import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { HttpRequest, HttpResponse, Route } from '../route.ts';
import { textResponse } from '../route.ts';
import type { PageConfig } from './page-config.ts';

/** The built web interface: its files, and the single page for all of its paths. */
export interface WebFiles {
  readonly routes: readonly Route[];
  readonly page: HttpResponse;
  readonly graphqlConsole: HttpResponse;
}

/** Allows only files of this server. Styles that a script sets on elements do not count as inline styles. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const CONTENT_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    css: 'text/css; charset=utf-8',
    js: 'text/javascript; charset=utf-8',
    svg: 'image/svg+xml',
  }),
);

/** File names contain the hash of the content, so browsers never need to revalidate them. */
const FOREVER = 'public, max-age=31536000, immutable';

/** Paths of the sign-in page, which is a page of its own because it must be small. Public clients know them. */
const SIGN_IN_PATHS = ['/login', '/logout', '/forgot-password', '/reset-password', '/reset-password-with-token'].concat(
  '/oauth2/consent',
);

/**
 * Reads the build into memory, a few hundred KiB. Without a build, the page explains how to create it.
 *
 * @param rootPath `/prefix` before every path, or an empty text
 */
export function readWebFiles(dir: URL, rootPath: string, config: PageConfig): WebFiles {
  if (!existsSync(new URL('index.html', dir))) {
    const page = textResponse(404, 'The web interface is not built. Run: node scripts/build.mjs');
    return { routes: [pageRoute('/', page)], page, graphqlConsole: page };
  }
  const assets = new Map(readdirSync(new URL('assets/', dir)).map((name) => [name, readAsset(dir, name)]));
  const [page, graphqlConsole, signIn] = ['index.html', 'graphiql.html', 'sign-in.html'].map((name) =>
    toPage(readFileSync(new URL(name, dir), 'utf8'), rootPath, config),
  ) as [HttpResponse, HttpResponse, HttpResponse];
  const routes: Route[] = [
    pageRoute('/', page),
    ...SIGN_IN_PATHS.map((path) => pageRoute(path, signIn)),
    {
      method: 'GET',
      path: '/assets/:name',
      access: 'open',
      bodyBytesMax: 0,
      handle: (request) => assetResponse(assets, request),
    },
  ];
  return { routes, page, graphqlConsole };
}

const readAsset = (dir: URL, name: string): Uint8Array => readFileSync(new URL(`assets/${name}`, dir));

const pageRoute = (path: string, page: HttpResponse): Route => ({
  method: 'GET',
  path,
  access: 'open',
  bodyBytesMax: 0,
  handle: () => page,
});

function toPage(html: string, rootPath: string, config: PageConfig): HttpResponse {
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': CONTENT_SECURITY_POLICY,
      // The page names the assets, so an outdated page would request missing ones after an update.
      'cache-control': 'no-cache',
    },
    // Replacements are functions, because `$` in a text would be a pattern.
    body: html
      .replace('<base href="/"', () => `<base href="${escapeAttribute(rootPath)}/"`)
      .replace(CONFIG_MARK, () => `${CONFIG_MARK}${escapeAttribute(JSON.stringify(config))}`),
  };
}

const CONFIG_MARK = '<meta name="page-config" content="';

const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

function assetResponse(assets: ReadonlyMap<string, Uint8Array>, { params, header }: HttpRequest): HttpResponse {
  const name = params.name ?? '';
  const content = assets.get(name);
  const contentType = CONTENT_TYPES.get(name.slice(name.lastIndexOf('.') + 1));
  if (content === undefined || contentType === undefined) return textResponse(404, 'Not Found');
  const headers = {
    'content-type': contentType,
    'cache-control': FOREVER,
    // A worker has the policy of its script, not of the page.
    'content-security-policy': CONTENT_SECURITY_POLICY,
    vary: 'Accept-Encoding',
  };
  const accepted = header('accept-encoding') ?? '';
  for (const [encoding, ending] of [
    ['br', '.br'],
    ['gzip', '.gz'],
  ] as const) {
    const compressed = assets.get(name + ending);
    if (compressed && accepts(accepted, encoding)) {
      return { status: 200, headers: { ...headers, 'content-encoding': encoding }, body: compressed };
    }
  }
  return { status: 200, headers, body: content };
}

const accepts = (acceptEncoding: string, encoding: string): boolean =>
  acceptEncoding.split(',').some((part) => {
    const [coding, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return coding === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
