import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Domain } from '../../src/domain/domain.ts';
import type { Ports } from '../../src/domain/ports.ts';
import { openTestServer } from '../api/test-server.ts';

/** Members of the domain that are the port of the same name. */
type Exposed = {
  [Name in keyof Domain & keyof Ports]: Domain[Name] extends Ports[Name]
    ? Ports[Name] extends Domain[Name]
      ? Name
      : never
    : never;
}[keyof Domain & keyof Ports];

/** Encryption, a query, and the reader of spans: none of them writes. */
type WithoutWrites = 'caller' | 'secretBox' | 'search' | 'spans';

test('the domain shows API layers no repository that it has bound', async (t) => {
  // Compiles only while no other member of the domain is a port.
  const hasNoOther: [Exclude<Exposed, WithoutWrites>] extends [never] ? true : false = true;
  const { domain, ports } = await openTestServer(t);

  const { projects, models, retention } = domain;

  assert.ok(hasNoOther);
  for (const [noun, port] of [
    [projects, ports.projects],
    [models, ports.models],
    [retention, ports.retention],
  ] as const) {
    const passed = Object.entries(noun).filter(([name, method]) => Reflect.get(port, name) === method);
    for (const [name] of passed) assert.match(name, /^(list|find|projectsOf)/, 'only queries are passed on');
  }
});
