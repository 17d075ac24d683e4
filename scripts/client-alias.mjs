// The sources of @spandrel/client and @spandrel/evals for bundles, so that no build order and no installation of workspaces is needed.
import { fileURLToPath } from 'node:url';

const SOURCES = fileURLToPath(new URL('../clients/typescript/client/src/', import.meta.url));

const EVALS = fileURLToPath(new URL('../clients/typescript/evals/src/', import.meta.url));

export const CLIENT_ALIAS = [
  { find: /^@spandrel\/client$/, replacement: `${SOURCES}index.ts` },
  { find: /^@spandrel\/client\/(\w+)$/, replacement: `${SOURCES}$1/index.ts` },
  { find: /^@spandrel\/evals$/, replacement: `${EVALS}index.ts` },
  { find: /^@spandrel\/evals\/code$/, replacement: `${EVALS}metrics/code/index.ts` },
  { find: /^@spandrel\/evals\/json-schema$/, replacement: `${EVALS}metrics/json-schema/index.ts` },
  { find: /^@spandrel\/evals\/(\w+)$/, replacement: `${EVALS}$1/index.ts` },
];
