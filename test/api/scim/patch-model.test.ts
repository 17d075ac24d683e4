import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type GroupFields, readGroupPatch } from '../../../src/api/scim/group-resource.ts';
import { type MultiValue, patchMultiValues } from '../../../src/api/scim/multi-values.ts';
import { readOperations } from '../../../src/api/scim/patch-operations.ts';
import { toAttributes } from '../../../src/api/scim/scim-values.ts';
import { SeededRandom } from '../../fixtures/seeded-random.ts';
import { type Json, PATCH, shareScimServer } from './scim-server.ts';

const shared = shareScimServer();
const SEED = Number(process.env.SCIM_SEED ?? 20_260);

const toOperations = (...Operations: readonly object[]) =>
  readOperations(toAttributes({ schemas: [PATCH], Operations }));

test('random operations on members do the same as on a set', () => {
  const random = new SeededRandom(SEED);
  for (let round = 0; round < 2_000; round++) {
    const ids = (count: number) => Array.from({ length: random.below(count) + 1 }, () => random.below(8) + 1);
    const start = new Set(ids(6));
    const model = new Set(start);
    const operations = Array.from({ length: random.below(6) + 1 }, () => {
      const list = ids(4);
      const value = list.map((id) => ({ value: String(id), display: 'x' }));
      switch (random.below(6)) {
        case 0:
          model.clear();
          return { op: 'remove', path: 'members' };
        case 1:
          for (const id of list) model.delete(id);
          return { op: 'Remove', path: `members[${list.map((id) => `value eq "${id}"`).join(' or ')}]` };
        case 2:
          for (const id of list) model.delete(id);
          return { op: 'remove', path: 'members', value };
        case 3:
          model.clear();
          for (const id of list) model.add(id);
          return random.chance(0.5)
            ? { op: 'replace', path: 'members', value }
            : { op: 'replace', value: { members: value } };
        default:
          for (const id of list) model.add(id);
          return { op: random.pick(['add', 'Add', 'ADD']), path: random.pick(['members', 'Members']), value };
      }
    });
    const { members }: GroupFields = readGroupPatch(toOperations(...operations));
    const removed = members?.removed ?? [];
    const kept = removed === 'all' ? [] : [...start].filter((id) => !removed.includes(id));
    const result = new Set([...kept, ...(members?.added ?? [])]);
    assert.deepEqual(
      [...result].sort(),
      [...model].sort(),
      `seed ${SEED}, round ${round}: ${JSON.stringify(operations)}`,
    );
  }
});

test('random operations on emails do the same as on a plain list', () => {
  const random = new SeededRandom(SEED + 1);
  const TYPES = ['work', 'home', 'other'];
  for (let round = 0; round < 2_000; round++) {
    let values: MultiValue[] = [];
    let model: { value: string; type: string }[] = [];
    for (let step = 0; step < 8; step++) {
      const [value, type] = [`${random.pick(['a', 'b', 'c', 'd'])}@example.com`, random.pick(TYPES)];
      const hasType = (one: { type: string }) => one.type === type;
      const path = `emails[type eq "${random.chance(0.5) ? type : type.toUpperCase()}"]`;
      let operation: object;
      const without = () => model.filter((one) => one.value !== value);
      switch (random.below(5)) {
        case 0:
          model = [...without(), { value, type }];
          operation = { op: 'add', path: 'emails', value: [{ value: value.toUpperCase(), type }] };
          break;
        case 1:
          model = model.filter((one) => !hasType(one));
          operation = { op: 'remove', path };
          break;
        case 2:
          model = model.some(hasType)
            ? model.map((one) => (hasType(one) ? { ...one, value } : one))
            : [...without(), { value, type }];
          operation = { op: random.pick(['add', 'replace']), path: `${path}.value`, value };
          break;
        case 3:
          model = [{ value, type }];
          operation = { op: 'replace', path: 'emails', value: { value, type } };
          break;
        default:
          model = without();
          operation = { op: 'remove', path: 'emails', value: [{ value }] };
      }
      const [read] = toOperations(operation);
      assert.ok(read);
      values = patchMultiValues('emails', values, read);
      assert.deepEqual(
        values.map((one) => ({ value: one.value.toLowerCase(), type: one.type?.toLowerCase() })),
        model,
        `seed ${SEED + 1}, round ${round}: ${JSON.stringify(operation)}`,
      );
    }
  }
});

test('random PATCHes of a user match a plain model', async () => {
  const { scim, patch, newScimUser } = await shared();
  const random = new SeededRandom(SEED + 2);
  const id = await newScimUser('model');
  const model: Record<string, Json> = { userName: 'model', active: true, email: 'model@example.com', role: 'VIEWER' };
  for (let round = 0; round < 60; round++) {
    const operations = Array.from({ length: random.below(4) + 1 }, () => {
      const text = `${random.pick(['x', 'Y', 'ž'])}${random.below(100)}`;
      const set = (key: string, path: string, value: unknown, stored: unknown = value) => {
        model[key] = stored;
        const op = random.pick(['add', 'replace', 'Add', 'Replace']);
        return random.chance(0.5) ? { op, path, value } : { op, value: { [path]: value } };
      };
      const remove = (key: string, path: string) => {
        delete model[key];
        return { op: random.pick(['remove', 'Remove']), path };
      };
      switch (random.below(9)) {
        case 0:
          return set('userName', 'userName', `model-${text}`);
        case 1: {
          const isActive = random.chance(0.5);
          return set('active', 'active', random.chance(0.5) ? isActive : isActive ? 'True' : 'False', isActive);
        }
        case 2:
          return set('displayName', 'displayName', text);
        case 3:
          return set('givenName', 'name.givenName', text);
        case 4:
          return set('familyName', 'name.familyName', text);
        case 5:
          return set(
            'email',
            'emails[type eq "work"].value',
            `M-${text}@Example.com`,
            `m-${text.toLowerCase()}@example.com`,
          );
        case 6: {
          const role = random.pick(['MEMBER', 'VIEWER']);
          return set('role', 'roles', [{ value: role.toLowerCase() }], role);
        }
        case 7:
          return set('externalId', 'externalId', `ext-${text}`);
        default:
          return random.pick([
            () => remove('displayName', 'displayName'),
            () => remove('givenName', 'name.givenName'),
            () => remove('externalId', 'externalId'),
          ])();
      }
    });
    const { status, json } = await patch(`/Users/${id}`, ...operations);
    const label = `seed ${SEED + 2}, round ${round}: ${JSON.stringify(operations)}`;
    assert.equal(status, 200, label);
    const stored = {
      ...{ userName: json.userName, active: json.active, email: json.emails[0].value, role: json.roles[0].value },
      ...{ displayName: json.displayName, externalId: json.externalId },
      ...{ givenName: json.name?.givenName, familyName: json.name?.familyName },
    };
    assert.deepEqual(JSON.parse(JSON.stringify(stored)), sorted(model, stored), label);
  }
  assert.equal((await scim('GET', `/Users/${id}`)).json.userName, model.userName);
});

/** Fields of the model that exist. */
const sorted = (model: Readonly<Record<string, Json>>, like: object): object =>
  Object.fromEntries(
    Object.keys(like)
      .filter((key) => key in model)
      .map((key) => [key, model[key]]),
  );

test('the latest primary value is the only one, and the email of the account', async () => {
  const { patch, newScimUser } = await shared();
  const path = `/Users/${await newScimUser('primary')}`;
  const add = async (value: object) =>
    (await patch(path, { op: 'add', path: 'emails', value: [value] })).json.emails[0].value;

  assert.equal(await add({ value: 'second@example.com', type: 'work' }), 'primary@example.com');
  assert.equal(await add({ value: 'third@example.com', type: 'home', primary: true }), 'third@example.com');
  assert.equal(await add({ value: 'fourth@example.com', type: 'home', primary: 'True' }), 'fourth@example.com');
});
