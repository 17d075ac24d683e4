#!/usr/bin/env node
// Bundles the command line client, with the client package, into clients/typescript/cli/dist: one small file that every
// start reads, and one for each group of commands.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { CLIENT_ALIAS } from './client-alias.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, 'clients/typescript/cli');

await build({
  root: FOLDER,
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  build: {
    ssr: true,
    outDir: 'dist',
    emptyOutDir: true,
    target: 'node20',
    minify: false,
    rolldownOptions: {
      input: { main: join(FOLDER, 'src/main.ts') },
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
  resolve: { alias: CLIENT_ALIAS },
  ssr: { noExternal: true },
});
const main = join(FOLDER, 'dist/main.js');
if (!readFileSync(main, 'utf8').startsWith('#!'))
  writeFileSync(main, `#!/usr/bin/env node\n${readFileSync(main, 'utf8')}`);
chmodSync(main, 0o755);
