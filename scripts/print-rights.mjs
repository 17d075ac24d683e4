#!/usr/bin/env node
// Writes the tables of docs/access.md from the declarations of the built server: the rights, and what demands each.
// With `--check`, writes nothing and fails if the file would change.
//
//   node scripts/print-rights.mjs [--check]
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './dist.mjs';

const PATH = join(ROOT, 'docs/access.md');
const load = (path) => import(join(ROOT, 'dist/src', path));

const { findDenial, RIGHTS } = await load('model/access/rights.js');
const { authRoutes } = await load('api/auth/auth-routes.js');
const { consentRoutes } = await load('api/auth/consent-routes.js');
const { linkRoutes } = await load('api/auth/link-routes.js');
const { metadataRoutes } = await load('api/auth/metadata-routes.js');
const { oauth2Routes } = await load('api/auth/oauth2-routes.js');
const { tokenRoutes } = await load('api/auth/token-routes.js');
const { otlpRoutes } = await load('api/otlp/trace-routes.js');
const { openEvents } = await load('api/rest/events.js');
const { openMcp } = await load('api/mcp/mcp-routes.js');
const { restRoutes } = await load('api/rest/routes.js');
const { scimRoutes } = await load('api/scim/scim-routes.js');
const { createSchema } = await load('api/graphql/schema.js');
const { healthRoutes, metricsRoute } = await load('server/health-routes.js');
const { readAccess } = await load('api/graphql/execution/guarded-resolver.js');

const caller = (credential, role, scope = 'ALL') => ({
  kind: 'signedIn',
  credential,
  user: { role },
  scope,
  projects: null,
});
const CALLERS = [
  ['administrator', caller('session', 'ADMIN')],
  ['member', caller('session', 'MEMBER')],
  ['viewer', caller('session', 'VIEWER')],
  ['application', caller('app', 'MEMBER')],
  ['system key', caller('systemKey', 'SYSTEM')],
  ['admin secret', caller('adminSecret', 'SYSTEM')],
  ['read key', caller('userKey', 'ADMIN', 'READ')],
  ['send key', caller('userKey', 'ADMIN', 'SEND')],
  ['SCIM key', caller('systemKey', 'SYSTEM', 'SCIM')],
  ['anonymous', { kind: 'anonymous', reason: 'missing' }],
  ['sign-in off', { kind: 'signInOff' }],
];

const rights = Object.entries(RIGHTS).map(([right, text]) => {
  const cells = CALLERS.map(([, one]) => (findDenial(one, right, true) === undefined ? 'yes' : ''));
  return `| \`${right}\` | ${text} | ${cells.join(' | ')} |`;
});
const ingest = { latestErrors: () => [] };
const access = { rootPath: '', directory: {}, allowsRegistration: true };
const ofSignIn = [authRoutes, oauth2Routes, linkRoutes, metadataRoutes, consentRoutes, tokenRoutes];
const routes = [
  ...healthRoutes({}),
  metricsRoute(undefined, () => true),
  ...ofSignIn.flatMap((routesOf) => routesOf(access)),
  ...otlpRoutes(ingest),
  ...restRoutes({ domainFor: () => ({}), version: '', uploadDir: '' }),
  ...openEvents({ domainFor: () => ({}) }).routes,
  ...scimRoutes({}),
  ...openMcp({ routes: [] }).routes,
];
const schema = createSchema();
const fields = [
  ['query', schema.getQueryType()],
  ['mutation', schema.getMutationType()],
  ['subscription', schema.getSubscriptionType()],
].flatMap(([kind, type]) =>
  Object.values(type.getFields()).map((field) => [readAccess(field.astNode.directives), `${kind} \`${field.name}\``]),
);
const demands = [
  ...routes.map(({ method, path, access }) => [access, `\`${method} ${path}\``]),
  ['send', 'gRPC `TraceService/Export`'],
  ['viewer', '`GET /graphql`'],
  ['viewer', '`POST /graphql`'],
  ['open', '`GET /assets/:name` and the pages of the interface, which have no data'],
  ...fields,
];
const lists = Object.keys(RIGHTS).flatMap((right) => {
  const names = demands.filter(([access]) => access === right).map(([, name]) => name);
  return names.length === 0 ? [] : [`### \`${right}\`\n\n${names.map((name) => `- ${name}`).join('\n')}\n`];
});

const MARK = '<!-- Below this line the file is written by scripts/print-rights.mjs. -->';
const before = readFileSync(PATH, 'utf8');
const head = before.slice(0, before.indexOf(MARK) + MARK.length);
const after = `${head}

## Rights

| right | who has it | ${CALLERS.map(([name]) => name).join(' | ')} |
|---|---|${CALLERS.map(() => '---|').join('')}
${rights.join('\n')}

## What demands them

${lists.join('\n')}`;

if (before !== after && process.argv.includes('--check')) {
  console.error('docs/access.md is not up to date; run node scripts/print-rights.mjs');
  process.exitCode = 1;
} else {
  writeFileSync(PATH, after);
  console.log(`${demands.length} routes, fields and methods`);
}
