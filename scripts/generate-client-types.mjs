#!/usr/bin/env node
// Types of the published clients from the OpenAPI document of the built server, and the list of operations that a client
// does not call. No server is started: the document comes from the routes in dist/.
//
//   node scripts/generate-client-types.mjs           writes the types
//   node scripts/generate-client-types.mjs --check   fails when they are stale, or when an operation is in a client's
//                                                    sources and in clients/operations.json, or in neither
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkOperations } from './client-types/operations.mjs';
import { toPythonModule } from './client-types/python.mjs';
import { toTypeScriptModule } from './client-types/typescript.mjs';
import { ROOT } from './dist.mjs';

const COMMAND = 'node scripts/generate-client-types.mjs';
/** Path of a generated file → what makes its text of the document. */
const TARGETS = {
  'clients/typescript/client/src/generated/api.ts': toTypeScriptModule,
  'clients/python/client/spandrel_client/generated/api.py': toPythonModule,
};
const isCheck = process.argv.includes('--check');

const document = await readDocument();
for (const [path, toModule] of Object.entries(TARGETS)) {
  const target = join(ROOT, path);
  const text = toModule(document);
  if (existsSync(target) && readFileSync(target, 'utf8') === text) continue;
  if (isCheck) fail(`${path} is not made of the routes: run ${COMMAND}`);
  else {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}
if (isCheck) for (const problem of checkOperations(ROOT, document)) fail(problem);

/** The document that the server answers at `/openapi.json`. */
async function readDocument() {
  const { restRoutes } = await import(new URL('../dist/src/api/rest/routes.js', import.meta.url));
  const noDomain = () => {
    throw new Error('The description of the routes needs no domain.');
  };
  const routes = restRoutes({ domainFor: noDomain, version: '0', uploadDir: join(ROOT, 'dist/no-uploads') });
  return JSON.parse(routes.find(({ path }) => path === '/openapi.json').handle().body);
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
