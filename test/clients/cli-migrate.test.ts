import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as publicCore from '@arizeai/phoenix-client';
import * as publicDatasets from '@arizeai/phoenix-client/datasets';
import * as publicExperiments from '@arizeai/phoenix-client/experiments';
import * as publicPrompts from '@arizeai/phoenix-client/prompts';
import * as publicSessions from '@arizeai/phoenix-client/sessions';
import * as publicSpans from '@arizeai/phoenix-client/spans';
import * as publicTraces from '@arizeai/phoenix-client/traces';
import { cleanUpAfter, temporaryDirectory } from '../metadata-store/fixtures.ts';
import { applyEdits } from '../../clients/typescript/cli/src/actions/migrate/edits.ts';
import { planPython } from '../../clients/typescript/cli/src/actions/migrate/plan-python.ts';
import { planTypescript } from '../../clients/typescript/cli/src/actions/migrate/plan-typescript.ts';
import {
  MISSING_TYPESCRIPT_NAMES,
  pythonRule,
  typescriptRule,
} from '../../clients/typescript/cli/src/actions/migrate/rules.ts';
import { PROGRAM } from './cli-program.ts';
import { PACKAGES_FOLDER } from './unpacked-packages.ts';

const PYTHON_FOLDER = fileURLToPath(new URL('../../../clients/python/', import.meta.url));
const FILES: Readonly<Record<string, string>> = {
  'src/app.ts': `// from '@arizeai/phoenix-client' in a comment
import { createClient, getMergedOptions } from '@arizeai/phoenix-client';
import {
  runExperiment,
} from "@arizeai/phoenix-client/experiments";
const url = 'https://example.com/x'; const { register } = await import('@arizeai/phoenix-otel');
const text = "install '@arizeai/phoenix-client'";
import type { Node } from '@arizeai/phoenix-client/types/core';
`,
  'vitest.config.mjs': `export default { test: { reporters: ['@arizeai/phoenix-client/vitest/reporter'] } };`,
  'app.py': `"""from phoenix.client import Client"""
import os, phoenix.client, phoenix.otel as otel_helper
from phoenix.client import (
    AsyncClient,
)
from phoenix import otel
from phoenix.client.__generated__ import v1
import phoenix as px
client = phoenix.client.Client()  # phoenix.client
note = 'phoenix.client.Client'
phoenix_client = 1
`,
  'notes.ipynb': `{
 "cells": [{ "cell_type": "code", "source": [
  "from phoenix.client import Client\\n",
  "import phoenix as px\\n"
 ]}]
}
`,
  'package.json': `{
  "dependencies": {
    "@arizeai/phoenix-client": "^6.0.0",
    "@arizeai/phoenix-config": "0.4.0"
  }
}
`,
  'requirements-dev.txt':
    'httpx\narize-phoenix-client[pytest,x] >=3.5, <4  # client\narize-phoenix==11\narize_phoenix_otel\narize-phoenix-clientele\n',
  'pyproject.toml': '[project]\ndependencies = ["arize-phoenix-evals>=3; python_version>\'3\'", "httpx"]\n',
  'node_modules/x/index.js': `import '@arizeai/phoenix-client';\n`,
};

describe('migrate-imports', () => {
  const cleanUp = cleanUpAfter(after);
  let folder: string;
  before(async () => {
    folder = await temporaryDirectory(cleanUp);
    for (const [name, content] of Object.entries(FILES)) {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
  });
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [PROGRAM, 'migrate-imports', ...args], { cwd: folder, encoding: 'utf8' });
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');

  test('shows a diff that git applies, and lists the rest with line numbers', () => {
    const { status, stdout, stderr } = run();

    assert.equal(status, 0, stderr);
    for (const [name, content] of Object.entries(FILES)) assert.equal(read(name), content, 'it only shows');
    assert.match(stderr, /14 places in 7 files would be rewritten\. --write does it\./);
    const lines = stderr
      .split('\n')
      .flatMap((line) => /^ {2}(\S+:\d+): (.*?)( {2}\[|$)/.exec(line)?.slice(1, 3).join(' ') ?? []);
    assert.deepEqual(lines.map((line) => line.split(' ')[0]).sort(), [
      'app.py:7',
      'app.py:8',
      'notes.ipynb:4',
      'package.json:4',
      'requirements-dev.txt:3',
      'src/app.ts:2',
      'src/app.ts:8',
    ]);
    const applied = spawnSync('git', ['apply', '--verbose', '-'], { cwd: folder, input: stdout, encoding: 'utf8' });
    assert.equal(applied.status, 0, applied.stderr);
    assert.equal(
      read('src/app.ts'),
      FILES['src/app.ts']!.replace(
        "getMergedOptions } from '@arizeai/phoenix-client'",
        "getMergedOptions } from '@spandrel/client'",
      )
        .replace('@arizeai/phoenix-client/experiments', '@spandrel/client/experiments')
        .replace('@arizeai/phoenix-otel', '@spandrel/tracing'),
    );
    assert.equal(
      read('vitest.config.mjs'),
      `export default { test: { reporters: ['@spandrel/client/vitest/reporter'] } };`,
    );
    assert.equal(
      read('app.py'),
      `"""from phoenix.client import Client"""
import os, spandrel_client, spandrel_client.tracing as otel_helper
from spandrel_client import (
    AsyncClient,
)
from spandrel_client import tracing as otel
from phoenix.client.__generated__ import v1
import phoenix as px
client = spandrel_client.Client()  # phoenix.client
note = 'phoenix.client.Client'
phoenix_client = 1
`,
    );
    assert.match(read('notes.ipynb'), /"from spandrel_client import Client\\n"/);
    assert.match(read('package.json'), /"@spandrel\/client": "\^\d+\.\d+\.\d+",\n {4}"@arizeai\/phoenix-config"/);
    assert.equal(
      read('requirements-dev.txt'),
      'httpx\nspandrel-client[pytest]  # client\narize-phoenix==11\nspandrel-client[tracing]\narize-phoenix-clientele\n',
    );
    assert.match(read('pyproject.toml'), /\["spandrel-evals; python_version>'3'", "httpx"\]/);
    assert.equal(read('node_modules/x/index.js'), FILES['node_modules/x/index.js']);
  });

  test('writes with --write, and finds nothing afterwards', () => {
    writeFileSync(join(folder, 'late.mjs'), `export * from '@arizeai/phoenix-client/spans';\r\n`);
    const written = run('late.mjs', '--write', '--json');
    assert.deepEqual(
      (JSON.parse(written.stdout) as { isWritten: boolean; files: { path: string }[] }).files.map(({ path }) => path),
      ['late.mjs'],
    );
    assert.equal(read('late.mjs'), `export * from '@spandrel/client/spans';\r\n`);
    assert.match(run('late.mjs').stderr, /No import of the public clients can be rewritten/);
    const missing = run('nowhere');
    assert.deepEqual([missing.status, missing.stderr], [3, 'spandrel: There is no file or folder nowhere.\n']);
  });

  test('knows which names of the public modules have no counterpart', async () => {
    const modules = {
      '': publicCore,
      '/datasets': publicDatasets,
      '/experiments': publicExperiments,
      '/prompts': publicPrompts,
      '/sessions': publicSessions,
      '/spans': publicSpans,
      '/traces': publicTraces,
    };
    for (const [path, module] of Object.entries(modules)) {
      const rule = typescriptRule(`@arizeai/phoenix-client${path}`);
      assert.deepEqual(rule, { to: `@spandrel/client${path}` });
      const ours = (await import(pathToFileURL(join(PACKAGES_FOLDER, 'client/dist', path, 'index.js')).href)) as object;
      const missing = Object.keys(module).filter((name) => !(name in ours));
      assert.deepEqual(missing, Object.keys(MISSING_TYPESCRIPT_NAMES[`@spandrel/client${path}`] ?? {}));
    }
  });

  test('leads to Python modules that exist', () => {
    const parts = [
      'client',
      'client.exceptions',
      'client.experiments',
      'client.helpers.spans',
      'client.types.spans',
      'client.types.prompts',
    ];
    for (const part of parts) {
      const rule = pythonRule(`phoenix.${part}`);
      assert.ok(rule && 'to' in rule);
      const path = join(PYTHON_FOLDER, 'client', ...rule.to.split('.'));
      assert.ok(existsSync(`${path}.py`) || existsSync(join(path, '__init__.py')), rule.to);
    }
  });

  test('leaves what is no import as it is', () => {
    for (const source of [
      'x = phoenix.client',
      'from phoenixes import x',
      '# import phoenix.client',
      "'''\nimport phoenix.client\n'''",
      'importphoenix.client',
      'from .phoenix.client import y',
    ])
      assert.equal(applyEdits(source, planPython(source).edits), source);
    for (const source of [
      "`import '@arizeai/phoenix-client'`",
      '/* "@arizeai/phoenix-client" */',
      '"see \'@arizeai/phoenix-otel\'"',
      "'@arizeai/phoenix'",
    ])
      assert.equal(applyEdits(source, planTypescript(source).edits), source);
  });
});
