// The sources of @spandrel/client for bundles, so that no build order and no installation of workspaces is needed.
import { fileURLToPath } from 'node:url';

const SOURCES = fileURLToPath(new URL('../clients/typescript/client/src/', import.meta.url));

export const CLIENT_ALIAS = [
  { find: /^@spandrel\/client$/, replacement: `${SOURCES}index.ts` },
  { find: /^@spandrel\/client\/(\w+)$/, replacement: `${SOURCES}$1/index.ts` },
];
