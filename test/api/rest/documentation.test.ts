import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { htmlResponse } from '../../../src/server/pages/html-page.ts';
import { docsPage } from '../../../src/api/rest/docs-page.ts';
import type { Operation } from '../../../src/api/rest/openapi.ts';
import { restRoutes } from '../../../src/api/rest/routes.ts';
import { openTestServer, type TestServer } from '../test-server.ts';

interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, unknown> };
}

let rest: TestServer;
const cleanUp = cleanUpAfter(after);
before(async () => {
  rest = await openTestServer({ after: cleanUp });
});

const routesOf = ({ domain }: TestServer) => restRoutes({ domainFor: () => domain, version: '0.1.0', uploadDir: '' });

describe('openapi.json', () => {
  test('lists exactly the routes under /v1, each with an operation ID of its own', async () => {
    const document = (await rest.call('GET', '/openapi.json')).json as Document;

    const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const routes = routesOf(rest)
      .filter(({ path }) => path.startsWith('/v1/'))
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    assert.deepEqual(listed.sort(), routes.sort());
    const ids = Object.values(document.paths).flatMap((methods) => Object.values(methods).map((o) => o.operationId));
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(document.openapi, '3.1.0');
  });

  test('names every path parameter and resolves every reference', async () => {
    const reply = await rest.call('GET', '/openapi.json');
    const document = reply.json as Document;

    for (const [path, methods] of Object.entries(document.paths)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const { parameters = [] } of Object.values(methods)) {
        assert.deepEqual(
          parameters.filter((p) => p.in === 'path').map((p) => p.name),
          names,
          path,
        );
      }
    }
    for (const [, name] of reply.text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      assert.ok(document.components.schemas[name!], name);
    }
    assert.ok(!reply.text.includes('"$id"'));
  });

  test('requires no field that has a default', async () => {
    const document = (await rest.call('GET', '/openapi.json')).json as Document;
    const { required } = document.components.schemas.NewSpan as { required: string[] };
    assert.deepEqual(required, ['name', 'context', 'span_kind', 'start_time', 'end_time', 'status_code']);
  });
});

describe('the page of the documentation', () => {
  test('uses only its own style and script, and sends no requests', async () => {
    const { text } = await rest.call('GET', '/docs');
    const policy = (await fetch(`${rest.address}/docs`)).headers.get('content-security-policy') ?? '';

    for (const [tag, directive] of [
      ['style', 'style-src'],
      ['script', 'script-src'],
    ]) {
      const [, content] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text)!;
      const hash = createHash('sha256').update(content!).digest('base64');
      assert.ok(policy.includes(`${directive} 'sha256-${hash}'`), tag);
    }
    assert.doesNotMatch(text, /<(?:img|link|iframe|script|style)[^>]+(?:src|href)=| style="| on\w+="/);
  });

  test('escapes whatever the document holds', () => {
    const evil = '<img src=x onerror=alert(1)>"\'&';
    const { body } = htmlResponse(
      docsPage({
        openapi: '3.1.0',
        info: { title: evil, version: evil, description: evil },
        tags: [{ name: evil }],
        paths: {
          [`/${evil}`]: {
            get: {
              operationId: evil,
              tags: [evil],
              summary: evil,
              description: evil,
              parameters: [{ name: evil, in: 'query', required: false, description: evil, schema: { enum: [evil] } }],
              requestBody: {
                required: true,
                content: { 'application/json': { schema: { $ref: evil }, example: { [evil]: evil } } },
              },
              responses: { [evil]: { description: evil, content: { [evil]: { schema: { type: evil } } } } },
            },
          },
        },
        components: { schemas: { [evil]: { properties: { [evil]: { type: evil, description: evil } } } } },
      }),
    );
    assert.ok(!String(body).includes('<img'));
  });

  test('names every route', async () => {
    const { text } = await rest.call('GET', '/docs');
    for (const { path } of routesOf(rest)) {
      if (path.startsWith('/v1/')) assert.ok(text.includes(path.replace(/:(\w+)/g, '{$1}')), path);
    }
  });
});
