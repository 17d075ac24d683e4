#!/usr/bin/env node
// Bundles the server into dist/server: a file for each thread, and others for code that few requests need. A start then reads a few files
// instead of 1,400, which took a third of its processor time. The files are CommonJS, of which V8's code can be kept
// (src/base/load-bundle.ts).
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { CLIENT_ALIAS } from './client-alias.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'dist/server');

/** Native packages, and packages that start threads from their own files. */
const EXTERNAL = [
  '@duckdb/node-bindings',
  '@node-rs/argon2',
  '@node-rs/crc32',
  'uws-node20',
  'uws-node24',
  'msgpackr',
  'pino',
  'pino-pretty',
  'piscina',
];

/**
 * Entry points by the file name that the code requests at run time. Each is bundled by itself, because values from other files of the
 * bundle are slower to reach than those of the own one.
 */
const ENTRIES = {
  main: 'src/main.ts',
  client: 'clients/typescript/cli/src/run-client.ts',
  'decode-worker': 'src/ingest/decode/decode-worker.ts',
  'store-worker': 'src/span-store/thread/store-worker.ts',
  'code-worker': 'src/sandbox/code/code-worker.ts',
  'schema-worker': 'src/sandbox/json-schema/schema-worker.ts',
  'regex-worker': 'src/sandbox/regex/regex-worker.ts',
  'mcp-handler': 'clients/typescript/mcp/src/http.ts',
  'load-bundle': 'src/base/load-bundle.ts',
};

/** The folder of the GraphQL schema, whose files the server reads at run time. */
const GRAPHQL = join(ROOT, 'src/api/graphql');

rmSync(OUT, { recursive: true, force: true });
await Promise.all(Object.entries(ENTRIES).map(([name, path]) => bundle(name, path)));
for (const path of readdirSync(GRAPHQL, { recursive: true })) {
  if (path.endsWith('.graphql')) cpSync(join(GRAPHQL, path), join(OUT, path));
}
if (!readdirSync(OUT).includes('main.bundle.cjs')) throw new Error('the bundle has no main.bundle.cjs');

// The files that the code requests: each loads what runs the others from the code that is kept.
for (const name of Object.keys(ENTRIES).filter((name) => name !== 'load-bundle')) {
  writeFileSync(join(OUT, `${name}.cjs`), `require('./load-bundle.cjs');\n${passOn(`./${name}.bundle.cjs`)}`);
}
writeFileSync(join(OUT, 'main.js'), "#!/usr/bin/env node\nimport './main.cjs';\n");
// Tests and benches run the modules that tsc has compiled, of which a thread would load some 300: their threads run the bundle.
for (const [name, compiled] of [
  ...Object.entries(ENTRIES).filter(([name]) => name.endsWith('-worker')),
  ['mcp-handler', 'src/api/mcp/mcp-handler.ts'],
]) {
  const path = join(ROOT, 'dist', compiled.replace(/\.ts$/, '.cjs'));
  writeFileSync(path, passOn(relative(dirname(path), join(OUT, `${name}.cjs`))));
}

/**
 * A module that exports what another one does. If it assigned the other one at once, Node would look for names of exports in all of its
 * code whenever its loader of ES modules loads it, as it does in the threads of a process that preloads a module, such as those of tests.
 */
function passOn(path) {
  return `const loaded = require('${path}');\nmodule.exports = loaded;\n`;
}

function bundle(name, path) {
  return build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      ssr: true,
      outDir: OUT,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        input: { [name]: join(ROOT, path) },
        output: {
          format: 'cjs',
          charset: 'ascii',
          entryFileNames: name === 'load-bundle' ? '[name].cjs' : '[name].bundle.cjs',
          chunkFileNames: '[name]-[hash].cjs',
          // Stack traces name files and lines, which need no sources.
          sourcemapExcludeSources: true,
        },
      },
    },
    // Resolves packages as Node does. Otherwise a package that is imported in one place and required in another is
    // bundled twice.
    resolve: { alias: CLIENT_ALIAS, mainFields: ['main'], conditions: ['node'], extensions: ['.js', '.json', '.mjs'] },
    ssr: { noExternal: true, external: EXTERNAL, resolve: { conditions: ['node'], mainFields: ['main'] } },
  });
}
