import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { SETTINGS } from '../../src/config/settings.ts';
import { STOP_MS_MAX } from '../../src/model/limits/requests.ts';
import { healthRoutes } from '../../src/server/health-routes.ts';
import { filesBelow, ROOT, readText } from './repository.ts';

const dockerfile = readText('Dockerfile').replace(/\\\n\s*/g, '');
const compose = readText('compose.yaml');
const unit = readText('config/spandrel.service');

describe('Dockerfile', () => {
  test('copies only files that exist and that .dockerignore admits', () => {
    const sources = instructions('COPY').flatMap((words) =>
      words[0]?.startsWith('--from=') ? [] : words.slice(0, -1).map((path) => path.replace(/\/$/, '')),
    );
    const admitted = readText('.dockerignore')
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));

    assert.ok(sources.length > 5);
    for (const path of sources) {
      assert.ok(existsSync(join(ROOT, path)), path);
      assert.ok(
        admitted.some((entry) => path === entry || path.startsWith(`${entry}/`)),
        path,
      );
    }
  });

  test('copies the sources of every client package that a copied one imports', () => {
    const copied = instructions('COPY').flatMap(([path = '']) =>
      path.startsWith('clients/typescript/') ? [path.split('/')[2] ?? ''] : [],
    );
    const imported = copied.flatMap((name) =>
      filesBelow(`clients/typescript/${name}/src`).flatMap((path) =>
        [...readText(path).matchAll(/from '@spandrel\/(\w+)/g)].map(([, other = '']) => other),
      ),
    );

    assert.ok(copied.length > 2);
    assert.deepEqual(
      [...new Set(imported)].filter((name) => !copied.includes(name)),
      [],
    );
  });

  test('copies all files into the image that the server reads at run time', () => {
    const copied = instructions('COPY')
      .filter(([first]) => first === '--from=build' || first?.startsWith('config/'))
      .map((words) => words.at(-1));

    assert.deepEqual(copied, [
      './',
      'node_modules',
      'dist/server',
      'dist/web',
      'config/model-prices.json',
      'config/judges',
    ]);
  });

  test('runs scripts that exist, as a user without privileges, on a version of Node that the server supports', () => {
    const scripts = instructions('RUN').flatMap((words) => words.filter((word) => word.startsWith('scripts/')));
    const users = instructions('USER').flat();
    const versions = instructions('FROM').map(([image]) => Number(/^node:(\d+)-/.exec(image ?? '')?.[1]));

    assert.deepEqual(
      scripts.filter((path) => !existsSync(join(ROOT, path))),
      [],
    );
    assert.deepEqual(users, ['node']);
    assert.ok(versions.length === 2 && versions.every((version) => version >= 22), String(versions));
  });

  test('checks the health of the server at the configured port', async () => {
    const [command, ...args] = JSON.parse(/^HEALTHCHECK .*?CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]') as string[];
    let status = 200;
    const paths: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      paths.push(request.url);
      response.writeHead(status).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const run = () =>
      new Promise((resolve) => {
        spawn(command!, args, { env: { ...process.env, SERVICE_PORT: String(port) }, stdio: 'ignore' }).once(
          'exit',
          resolve,
        );
      });

    try {
      assert.equal(await run(), 0);
      status = 503;
      assert.equal(await run(), 1);
    } finally {
      server.close();
    }
    assert.equal(await run(), 1);
    const routes = healthRoutes({ compatibleVersion: '1.0', findUnreadiness: async () => undefined });
    assert.ok(routes.some(({ path, method }) => path === paths[0] && method === 'GET'));
  });

  /** Words of each instruction of a kind, in order. */
  function instructions(kind: string): string[][] {
    return [...dockerfile.matchAll(new RegExp(`^${kind} (.*)$`, 'gm'))].map(([, rest]) => rest!.split(/\s+/));
  }
});

describe('files for deployment', () => {
  for (const [name, text] of Object.entries({ Dockerfile: dockerfile, 'compose.yaml': compose, unit })) {
    test(`use only settings that exist (${name})`, () => {
      const names = [...text.matchAll(/\bSERVICE_([A-Z0-9_]+)/g)].map(([, setting]) => setting!);
      const isKnown = (setting: string) =>
        Object.hasOwn(SETTINGS, setting) ||
        (setting.endsWith('_FILE') && SETTINGS[setting.slice(0, -5) as keyof typeof SETTINGS]?.secret === true);

      assert.ok(names.length > 0);
      assert.deepEqual(
        names.filter((setting) => !isKnown(setting)),
        [],
      );
    });
  }

  test('give the server the time that it needs to stop', () => {
    const seconds = [/stop_grace_period: (\d+)s/.exec(compose)?.[1], /TimeoutStopSec=(\d+)/.exec(unit)?.[1]];

    for (const text of seconds) assert.ok(Number(text) * 1000 > STOP_MS_MAX, text);
  });

  test('publish ports on this machine only, because there is no sign-in', () => {
    const published = [...compose.matchAll(/^ {6}- (\S+:\d+:\d+)$/gm)].map(([, port]) => port);

    assert.deepEqual(published, ['127.0.0.1:6006:6006', '127.0.0.1:4317:4317']);
    assert.match(unit, /SERVICE_HOST=127\.0\.0\.1/);
  });

  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
  test('include a unit that systemd accepts', { skip: !hasSystemd && 'systemd-analyze is not installed' }, () => {
    const dir = mkdtempSync(join(tmpdir(), 'spandrel-unit-'));
    try {
      const path = join(dir, 'spandrel.service');
      writeFileSync(path, unit.replace('/usr/bin/node', process.execPath));

      const { status, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });

      assert.equal(stderr, '');
      assert.equal(status, 0);
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});
