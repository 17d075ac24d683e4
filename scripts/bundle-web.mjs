#!/usr/bin/env node
// Bundles src/web into dist/web: a chunk a page, names with the hash of their content, and each text file compressed
// beside itself (.br and .gz: browsers take brotli over TLS and on localhost alone).
//
// What every page loads is few files, each of which costs a browser some milliseconds: `start`, which asks for everything
// else at once; `main`, which draws; `shared`, what several pages use; one file of styles.
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
  plugins: [
    {
      name: 'preload-main',
      // The page names what `start` imports by a call, so that nothing of it waits until that has run.
      transformIndexHtml: {
        order: 'post',
        handler: (html, { bundle }) => {
          const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk');
          const main = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/main.tsx'));
          return [main.fileName, ...main.imports]
            .filter((name) => !html.includes(name))
            .map((name) => ({
              tag: 'link',
              attrs: { rel: 'modulepreload', crossorigin: true, href: `./${name}` },
              // Below the <base>.
              injectTo: 'head',
            }));
        },
      },
    },
  ],
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: ['chrome111', 'firefox114', 'safari16.4'],
    // The content security policy has no room for data: URLs in scripts and fonts.
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Packages mark files as code for the browser, which all of this is.
      onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 3 },
            { name: 'react-dom', test: /node_modules[\\/](react-dom|scheduler)[\\/]/, priority: 2 },
            { name: 'shared', test: (path) => !/pages[\\/]trace[\\/]/.test(path), minShareCount: 3, priority: 2 },
          ],
        },
      },
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
