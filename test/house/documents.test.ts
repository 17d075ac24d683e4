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
/** Pages that describe the present; the changelog describes the past. */
const current = documents.filter((path) => path !== 'CHANGELOG.md');

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
        existsSync(join(ROOT, named!)) ? [] : [`${path}: ${named}`],
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

const NPM_COMMANDS = new Set(['install', 'pack', 'ci', 'link', 'run', 'prune']);

describe('decisions', () => {
  const folder = 'docs/decisions/';
  const pages = filesBelow(folder).filter((path) => path !== `${folder}README.md`);

  test('are listed once each in the index', () => {
    const listed = [...readText(`${folder}README.md`).matchAll(/^- .*\]\(([\w-]+\.md)\)$/gm)].map(
      ([, name]) => folder + name!,
    );

    assert.deepEqual(listed.sort(), pages);
  });

  test('are each cited by a document or by code', () => {
    const citing = [
      ...documents.filter((path) => path !== `${folder}README.md`),
      ...['src', 'bench', 'scripts'].flatMap(filesBelow).filter((path) => /\.(tsx?|mjs)$/.test(path)),
    ];
    const texts = citing.map((path) => ({ path, text: readText(path) }));
    const uncited = pages.filter((page) => {
      const cited = page.slice('docs/'.length);
      return !texts.some(({ path, text }) => path !== page && text.includes(cited));
    });

    assert.deepEqual(uncited, []);
  });

  test('are cited only by paths that exist', () => {
    const code = ['src', 'test', 'bench', 'scripts', 'clients'].flatMap(filesBelow);
    const wrong = code
      .filter((path) => /\.(tsx?|mjs|py)$/.test(path) && !path.includes('/node_modules/') && !path.includes('/dist/'))
      .flatMap((path) =>
        [...readText(path).matchAll(/docs\/decisions\/[\w-]+\.md/g)].map(([cited]) => ({ path, cited })),
      )
      .filter(({ cited }) => !existsSync(join(ROOT, cited)));

    assert.deepEqual(wrong, []);
  });
});

/** Anchors as Git hosts derive them from headings. */
const headingsOf = (path: string): string[] =>
  [...readText(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replace(/\s/g, '-'),
  );
