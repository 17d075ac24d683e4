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

const COMMON = {
  root: ROOT,
  configFile: false,
  logLevel: 'warn',
  // Relative, because the page's <base> contains the path prefix of the server.
  base: './',
  oxc: { jsx: { runtime: 'automatic' } },
};
const OUTPUT = {
  outDir: OUT,
  target: ['chrome111', 'firefox114', 'safari16.4'],
  // The content security policy has no room for data: URLs in scripts and fonts.
  assetsInlineLimit: 0,
  cssCodeSplit: false,
  modulePreload: { polyfill: false },
  reportCompressedSize: false,
};
// Packages mark files as code for the browser, which all of this is.
const WARNINGS = {
  onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
  checks: { pluginTimings: false },
};

await build({
  ...COMMON,
  plugins: [
    {
      name: 'preload-main',
      // The page lists the files that `start` imports dynamically, so that they load before it runs.
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
              // After the <base>.
              injectTo: 'head',
            }));
        },
      },
    },
  ],
  build: {
    ...OUTPUT,
    emptyOutDir: true,
    rolldownOptions: {
      ...WARNINGS,
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

// The GraphQL console is a page of its own, so that neither its code nor its styles are part of any other page.
await build({
  ...COMMON,
  resolve: { alias: { 'react-style-singleton': join(ROOT, 'graphiql/no-style-elements.ts') } },
  plugins: [
    {
      name: 'no-embedded-fonts',
      enforce: 'pre',
      transform: (code, id) =>
        id.endsWith('graphiql/dist/style.css') ? code.replace(/@font-face\s*\{[^}]*\}/g, '') : undefined,
    },
  ],
  build: {
    ...OUTPUT,
    emptyOutDir: false,
    chunkSizeWarningLimit: 1_500,
    rolldownOptions: { ...WARNINGS, input: join(ROOT, 'graphiql.html') },
  },
});

// The sign-in page too, so that it loads nothing of the interface behind it.
await build({
  ...COMMON,
  build: { ...OUTPUT, emptyOutDir: false, rolldownOptions: { ...WARNINGS, input: join(ROOT, 'sign-in.html') } },
});

for (const name of readdirSync(join(OUT, 'assets'))) {
  const path = join(OUT, 'assets', name);
  const content = readFileSync(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
}
