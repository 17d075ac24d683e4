import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createRouter } from '../../../src/server/http/router.ts';
import { type Route, textResponse } from '../../../src/server/route.ts';

const route = (method: Route['method'], path: string): Route => ({
  method,
  path,
  access: 'open',
  bodyBytesMax: 0,
  handle: () => textResponse(200, path),
});

describe('the router', () => {
  test('prefers a literal segment, and falls back to a parameter if the literal does not match', () => {
    const router = createRouter([route('GET', '/a/b'), route('GET', '/a/:x/c'), route('POST', '/a/:x')]);
    const found = (method: string, path: string) => {
      const match = router.match(method, path);
      return match.kind === 'found' ? match.route.path : match.kind;
    };

    assert.equal(found('GET', '/a/b'), '/a/b');
    assert.equal(found('GET', '/a/b/c'), '/a/:x/c');
    assert.equal(found('POST', '/a/b'), '/a/:x');
    assert.equal(found('PUT', '/a/b'), 'methodNotAllowed');
    assert.equal(found('GET', '/a/'), 'notFound');
    assert.equal(found('GET', '/a/b/'), 'notFound');
    assert.equal(found('GET', '//a/b'), 'notFound');
    assert.equal(found('GET', '/A/b'), 'notFound');
  });

  test('rejects two equal routes', () => {
    assert.throws(() => createRouter([route('GET', '/a/:x'), route('GET', '/a/:y')]), /Two routes have the path GET/);
  });

  test('keeps the parameter names of each route', () => {
    const router = createRouter([route('GET', '/a/:x/c'), route('POST', '/a/:y/d')]);

    const match = router.match('POST', '/a/1/d');

    assert.deepEqual(match.kind === 'found' && { ...match.params }, { y: '1' });
  });

  test('has no parameters except those of the path, not even names of Object', () => {
    const match = createRouter([route('GET', '/a/:x')]).match('GET', '/a/1');

    assert.equal(match.kind === 'found' && match.params.toString, undefined);
  });

  test('decodes any text that was percent-encoded into a segment', () => {
    const router = createRouter([route('GET', '/p/:x/end')]);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        const match = router.match('GET', `/p/${encodeURIComponent(text)}/end`);
        assert.equal(match.kind === 'found' && match.params.x, text);
      }),
    );
  });

  test('matches any path without throwing', () => {
    const router = createRouter([route('GET', '/'), route('GET', '/:a/:b'), route('GET', '/x/:c')]);
    fc.assert(fc.property(fc.string(), (text) => void router.match('GET', `/${text}`)));
  });
});
