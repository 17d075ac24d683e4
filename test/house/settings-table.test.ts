import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SETTING_NAMES, SETTINGS, type Setting } from '../../src/config/settings.ts';
import { readText } from './repository.ts';

/** Rows of the table: `| SERVICE_PORT | port | 6006 | … |`. */
const rows = new Map(
  [...readText('docs/settings.md').matchAll(/^\| `SERVICE_([A-Z0-9_]+)` \| (.*?) \| (.*?) \| (.*?) \|$/gm)].map(
    ([, name, kind, fallback, description]) => [name, { kind, fallback, description }],
  ),
);

describe('the table of docs/settings.md', () => {
  test('has a row for every setting and no other, in the same order', () => {
    assert.deepEqual([...rows.keys()], SETTING_NAMES);
  });

  for (const name of SETTING_NAMES) {
    test(`describes ${name} as the code does`, () => {
      const setting: Setting<unknown> = SETTINGS[name];
      const fallback = Array.isArray(setting.default) ? setting.default.join(', ') : String(setting.default ?? '');

      assert.deepEqual(rows.get(name), {
        kind: setting.kind.name + (setting.secret ? ', secret' : ''),
        fallback: fallback && `\`${fallback}\``,
        description: setting.description,
      });
    });
  }
});
