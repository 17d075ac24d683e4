import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, test } from 'node:test';
import { parseOidcVariable } from '../../src/config/identity/oidc-providers.ts';
import { SETTING_NAMES } from '../../src/config/settings.ts';
import { filesBelow, ROOT, readText } from './repository.ts';

const documents = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'],
  ...filesBelow('docs').filter((path) => path.endsWith('.md')),
];
/** Pages that describe the present; decision records describe the past. */
const current = documents.filter((path) => !path.startsWith('docs/decisions/') && path !== 'CHANGELOG.md');
const decisions = documents.filter((path) => /^docs\/decisions\/\d{4}-/.test(path));

describe('documents', () => {
  test('link only to files and headings that exist', () => {
    const broken = documents.flatMap((path) =>
      [...readText(path).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(([link, target, heading]) => {
        const file = target ? normalize(join(dirname(path), target)) : path;
        if (file.startsWith('..') || !existsSync(join(ROOT, file))) return [`${path}: ${link}`];
        return heading && !headingsOf(file).includes(heading) ? [`${path}: ${link}`] : [];
      }),
    );

    assert.deepEqual(broken, []);
  });

  test('name only paths that exist', () => {
    const missing = current.flatMap((path) =>
      [...readText(path).matchAll(/`((?:src|test|bench|scripts|config|docs|\.ci)\/[\w./-]+)`/g)].flatMap(([, named]) =>
        existsSync(join(ROOT, named!)) || isDecision(named!) ? [] : [`${path}: ${named}`],
      ),
    );

    assert.deepEqual(missing, []);
  });

  test('name only settings that exist', () => {
    const known = new Set<string>(SETTING_NAMES.flatMap((name) => [name, `${name}_FILE`]));
    const unknown = current.flatMap((path) =>
      [...readText(path).matchAll(/\bSERVICE_([A-Z0-9_]*[A-Z0-9])\b/g)].flatMap(([variable, name]) =>
        known.has(name!) || name === 'OAUTH2' || parseOidcVariable(name!) ? [] : [`${path}: ${variable}`],
      ),
    );

    assert.deepEqual(unknown, []);
  });

  test('name only npm scripts that exist', () => {
    const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
    const unknown = current.flatMap((path) =>
      [...readText(path).matchAll(/\bnpm (?:run )?([a-z:]+(?:-[a-z]+)*)/g)].flatMap(([command, name]) =>
        name && (Object.hasOwn(scripts, name) || NPM_COMMANDS.has(name)) ? [] : [`${path}: ${command}`],
      ),
    );

    assert.deepEqual(unknown, []);
  });
});

/** Whether a path such as `docs/decisions/0107` is the beginning of a page's path. */
const isDecision = (path: string): boolean =>
  /^docs\/decisions\/\d{4}$/.test(path) && decisions.some((page) => page.startsWith(`${path}-`));

const NPM_COMMANDS = new Set(['install', 'pack', 'ci', 'link', 'run', 'prune']);

describe('decision records', () => {
  test('start with number, title, status and date', () => {
    const wrong = decisions.filter((path) => readDecision(path) === undefined);

    assert.deepEqual(wrong, []);
  });

  test('are listed in the index with number, title, status and date', () => {
    const rows = readText('docs/decisions/README.md')
      .split('\n')
      .filter((line) => /^\| \[?\d{4}/.test(line));

    assert.deepEqual(
      rows,
      decisions.map((path) => {
        const { number, title, status, date } = readDecision(path)!;
        return `| [${number}](${path.slice('docs/decisions/'.length)}) | ${title} | ${status} | ${date} |`;
      }),
    );
  });

  test('have one number each', () => {
    const numbers = decisions.map((path) => path.slice('docs/decisions/'.length, 'docs/decisions/0000'.length));

    assert.deepEqual(
      numbers.filter((number, index) => numbers.indexOf(number) !== index),
      [],
    );
  });
});

/** The head of a page: `# 0001: Title`, an empty line, `**Status.** Accepted, 2026-11-21.` */
function readDecision(path: string) {
  const match = /^# (\d{4}): (.+)\n\n\*\*Status\.\*\* (.+), (\d{4}-\d\d-\d\d)\.\n/.exec(readText(path));
  if (!match || !path.includes(`/${match[1]}-`)) return undefined;
  const [, number, title, status, date] = match;
  return { number, title, status, date };
}

/** Anchors as Git hosts derive them from headings. */
const headingsOf = (path: string): string[] =>
  [...readText(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replace(/\s/g, '-'),
  );
