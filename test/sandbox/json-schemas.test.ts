import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type ExactJson, newJsonObject } from '../../src/base/exact-json.ts';
import { parseExactJson } from '../../src/base/parse-exact-json.ts';
import { createJsonSchemas } from '../../src/sandbox/json-schema/thread-json-schemas.ts';

const schemas = createJsonSchemas();
after(() => schemas.close());

const parse = (value: unknown): ExactJson => parseExactJson(JSON.stringify(value), { depthMax: 5_000 });
const validate = (schema: unknown, value: unknown) => schemas.validate(parse(schema), parse(value));
const problemOf = async (result: Promise<{ ok: boolean; problem?: string }>) => (await result).problem ?? null;

test('values are checked by draft-07 and 2020-12', async () => {
  const object = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
  assert.deepEqual(await validate(object, { text: 'a' }), { ok: true });
  assert.equal(await problemOf(validate(object, {})), "the value must have required property 'text'");
  assert.equal(await problemOf(validate(object, { text: 1 })), '/text must be string');

  const tuple07 = { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'number' }] };
  assert.match((await problemOf(validate(tuple07, ['a']))) ?? '', /\/0 must be number/);
  const tuple2020 = { $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: [{ type: 'number' }] };
  assert.match((await problemOf(validate(tuple2020, ['a']))) ?? '', /\/0 must be number/);
  // Valid in the older draft only, and without a name of a draft.
  assert.match((await problemOf(validate({ items: [{ type: 'number' }] }, ['a']))) ?? '', /\/0 must be number/);
  assert.equal(
    await problemOf(validate({ enum: ['a', 'b'] }, 'c')),
    'the value must be equal to one of the allowed values: ["a","b"]',
  );
  const closed = { properties: {}, additionalProperties: false };
  assert.match((await problemOf(validate(closed, { extra: 1 }))) ?? '', /additional properties: 'extra'/);
  assert.equal(await problemOf(validate({ $defs: { a: { type: 'string' } }, $ref: '#/$defs/a' }, 'x')), null);
});

test('an invalid schema is reported', async () => {
  const check = (schema: unknown) => problemOf(schemas.checkSchema(parse(schema)));
  assert.equal(await check({ type: 'object' }), null);
  assert.equal(await check(true), null);
  assert.match((await check({ type: 'text' })) ?? '', /invalid: \/type must be/);
  assert.match((await check('object')) ?? '', /an object or a boolean/);
  assert.match((await check({ $schema: 'http://example.com/mine' })) ?? '', /draft-07 or 2020-12/);
  assert.match((await check({ pattern: '(' })) ?? '', /invalid/);
  // Keywords of vendors are no errors.
  assert.equal(await check({ type: 'string', 'x-order': 1, format: 'of a vendor' }), null);
});

test('references into other documents are rejected', async () => {
  for (const $ref of ['http://127.0.0.1:1/schema.json', 'file:///etc/passwd', 'other.json#/a']) {
    assert.match((await problemOf(schemas.checkSchema(parse({ $ref })))) ?? '', /not followed/);
  }
});

test('a schema that is too deep or too long is an error of its caller alone', async () => {
  let deep: object = { type: 'string' };
  for (let level = 0; level < 1_000; level++) deep = { properties: { a: deep } };
  assert.match((await problemOf(schemas.checkSchema(parse(deep)))) ?? '', /nests more deeply than 128 levels/);
  const long = { enum: [Array.from({ length: 300 }, () => 'a'.repeat(1_000))] };
  assert.match((await problemOf(schemas.checkSchema(parse(long)))) ?? '', /characters of JSON; the maximum/);
  let fits: object = { type: 'string' };
  for (let level = 0; level < 60; level++) fits = { properties: { a: fits } };
  assert.equal(await problemOf(schemas.checkSchema(parse(fits))), null);
});

test('a pattern that needs exponential time ends at the time limit, and the next check works', async () => {
  const bomb = { type: 'string', pattern: '^(a+)+$' };
  assert.match((await problemOf(validate(bomb, `${'a'.repeat(40)}!`))) ?? '', /took longer than 1000 ms/);
  assert.equal(await problemOf(validate({ type: 'string' }, 'x')), null);
});

test('names of prototypes are ordinary keys of values, which a value must have itself', async () => {
  const value = newJsonObject();
  Object.defineProperty(value, '__proto__', { value: { inherited: 1 }, enumerable: true });
  const required = { required: ['constructor'] };
  assert.match((await problemOf(schemas.validate(parse(required), value))) ?? '', /required property 'constructor'/);
  assert.match((await problemOf(schemas.validate(parse({ required: ['inherited'] }), value))) ?? '', /'inherited'/);
  const polluting = parseExactJson('{"__proto__":{"type":"number"},"properties":{"__proto__":{}}}', { depthMax: 9 });
  assert.equal(await problemOf(schemas.validate(polluting, 'text')), null);
  assert.equal(await problemOf(validate({}, 'text')), null);
});

test('a cancelled check ends', async () => {
  const abort = new AbortController();
  const check = schemas.validate(parse({ pattern: '^(a+)+$' }), `${'a'.repeat(40)}!`, abort.signal);
  setTimeout(() => abort.abort(), 50);
  await assert.rejects(check, { name: 'AbortError' });
  assert.equal(await problemOf(schemas.checkSchema(true)), null);
});
