import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/**
 * Every change that a user can make in the interface has a case in a file of this folder, which makes the server reject it
 * and checks that the page reports this. A new page adds a file `<noun>.test.ts` here, or cases to the file of its noun:
 * a list of `Rejection` with the name of each mutation, which the file passes to `checkRejections`.
 */
test('every mutation of the interface has a case in which it is rejected', () => {
  const cases = readAll('test/web/rejections', /\.test\.ts$/).flatMap((text) =>
    Array.from(text.matchAll(/\bmutation: '(\w+)'/g), ([, name]) => name!),
  );
  assert.deepEqual(cases.sort(), mutationsOfTheInterface());
});

/** Mutations of the access of a project need sign-in. `access/project-access.test.ts` covers them. */
const OF_PROJECT_ACCESS = new Set(['setPrivacy', 'setMember', 'removeMember']);

/** All mutations and subscriptions, without those that need sign-in, which the tests of accounts cover. */
function mutationsOfTheInterface(): string[] {
  const text = readAll('src/web', /[/\\]generated[/\\]/).join('\n');
  const mutations = text.matchAll(/name: '(\w+)',\n {2}text: .*\n {2}access: '(?!person|strictAdmin)/g);
  return Array.from(mutations, ([, name]) => name!)
    .filter((name) => !OF_PROJECT_ACCESS.has(name))
    .sort();
}

const readAll = (folder: string, pattern: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => pattern.test(path))
    .map((path) => readFileSync(join(folder, path), 'utf8'));
