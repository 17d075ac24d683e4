import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readText, trackedFiles } from './repository.ts';

const TOP_LEVEL = new Set([
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'README.md', 'ARCHITECTURE.md', 'LICENSE'],
  ...['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'Dockerfile', 'compose.yaml'],
  ...['src', 'native-bindings', 'bench', 'test', 'config', 'scripts', 'docs', 'clients'],
]);

// Spelled in parts, so that this file does not hold what it looks for.
const LEAKS = [
  {
    what: 'a path of the machine it was written on',
    pattern: new RegExp(`${'/wo'}rk/(main|shared|steering)|${'/ro'}ot/`),
  },
  {
    what: 'the address of a package registry',
    pattern: new RegExp(`registry\\.${'npmjs'}|registry\\.${'yarnpkg'}|deb\\.${'debian'}\\.|${'pypi'}\\.org`),
  },
];
const TEXT = /\.(ts|tsx|mjs|js|json|md|sh|sql|py|txt|toml|ya?ml|html|css|graphql)$|^\.|(^|\/)(LICENSE|run)$/;

const tracked = trackedFiles();

describe('the repository', { skip: tracked === undefined && 'this is no git checkout' }, () => {
  const files = tracked ?? [];

  test('contains at its top level only the listed entries and dotfiles', () => {
    const entries = new Set(files.map((path) => path.split('/', 1)[0] ?? ''));

    const unexpected = [...entries].filter((entry) => !TOP_LEVEL.has(entry) && !entry.startsWith('.'));

    assert.deepEqual(unexpected, []);
  });

  for (const { what, pattern } of LEAKS) {
    test(`contains no ${what}`, () => {
      const leaks = files.filter((path) => TEXT.test(path)).flatMap((path) => findLines(path, pattern));

      assert.deepEqual(leaks, []);
    });
  }

  test('has a lockfile that works with every registry', () => {
    const { packages } = JSON.parse(readText('package-lock.json')) as {
      packages: Record<string, { resolved?: string; integrity?: string; link?: boolean }>;
    };
    const dependencies = Object.entries(packages).filter(([path]) => path !== '');

    assert.deepEqual(
      dependencies.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path),
      [],
    );
    assert.deepEqual(
      dependencies.filter(([, { integrity, link }]) => !integrity && !link).map(([path]) => path),
      [],
    );
  });
});

function findLines(path: string, pattern: RegExp): string[] {
  let text: string;
  try {
    text = readText(path);
  } catch {
    // Deleted in the working tree.
    return [];
  }
  return text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : []));
}
