#!/usr/bin/env node
// Bundles src/web into dist/web: a chunk a page, names with the hash of their content, and each text file compressed
// beside itself (.br and .gz: browsers take brotli over TLS and on localhost alone).
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

const ROOT = fileURLToPath(new URL('../src/web', import.meta.url));
const OUT = fileURLToPath(new URL('../dist/web', import.meta.url));

await build({
  root: ROOT,
  configFile: false,
  logLevel: 'warn',
  // Relative: the page's <base> says below which prefix the server is reached.
  base: './',
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: ['chrome111', 'firefox114', 'safari16.4'],
    // The content security policy has no room for data: URLs in scripts and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Packages mark files as code for the browser, which all of this is.
      onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
    },
  },
});

for (const name of readdirSync(join(OUT, 'assets'))) {
  const path = join(OUT, 'assets', name);
  const content = readFileSync(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
}
