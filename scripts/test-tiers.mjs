// Which test files `npm test` runs (the first tier) and which only `npm run test:all` and CI run (the second).
//
// The first tier checks every rule once, at the cheapest level that notices a break, and walks each page and each API of the built server
// once. The second has the rest: other levels that check the same rule, the rest of the browser tests and of the published clients, crashes,
// other versions of Node, Python and Postgres, and benches.
//
// Files are named by their path below test/ without suffix. A path that ends in a slash is a folder.
import { createHash } from 'node:crypto';

/** The second tier, with about how many seconds of processor time one of its files takes. New files in these folders belong to it. */
const SECOND_TIER = {
  'clients/': 20,
  'e2e/': 15,
  'house/benches': 150,
  'metadata-store/embedded-postgres': 25,
  'web/': 7,
};
/** What is in the first tier all the same. All other files are, too. */
const FIRST_TIER = [
  // The public clients, the command line and MCP once.
  ...[
    'clients/cli-commands',
    'clients/contrast/',
    'clients/evaluations/',
    'clients/mcp',
    'clients/mcp-handler',
    'clients/python',
  ],
  ...['clients/typescript-client'],
  // The built server once: its start and end, OTLP over both transports, a crash.
  ...[
    'e2e/bad-requests',
    'e2e/crash-once',
    'e2e/lifecycle',
    'e2e/node-exporters',
    'e2e/phoenix-client',
    'e2e/user-commands',
  ],
  // Code of the web interface that needs no browser.
  ...['web/access/controls', 'web/access/rights', 'web/colors', 'web/compare-logic', 'web/comparison/comparison-logic'],
  ...[
    'web/components/file-preview',
    'web/components/json-completion',
    'web/components/json-editor',
    'web/components/label-choice',
  ],
  ...[
    'web/components/scaled-scroll',
    'web/dashboards/dashboard-logic',
    'web/data/failure-kinds',
    'web/data/merge-rows',
  ],
  ...[
    'web/data/streams/',
    'web/dataset/experiment-rows',
    'web/formats',
    'web/graph-layout',
    'web/pages/dataset/pending-changes',
  ],
  ...[
    'web/pages/trace/tree/',
    'web/playground/cells',
    'web/playground/state',
    'web/prompt-logic',
    'web/rejections/coverage',
  ],
  // Each page once.
  ...['web/access/sign-in', 'web/comparison/comparison', 'web/components/annotations', 'web/dashboards/dashboards'],
  ...['web/dataset/experiments', 'web/evaluators/llm-form', 'web/metrics', 'web/newcomer', 'web/pages-once'],
  ...[
    'web/pages/datasets/datasets',
    'web/pages/project/tracing',
    'web/pages/session/sessions',
    'web/pages/trace/trace-views',
  ],
  ...['web/playground/playground', 'web/prompts', 'web/settings', 'web/shell/keyboard'],
];
const QUARTER_COUNT = 4;

const matches = (entry, path) => (entry.endsWith('/') ? path.startsWith(entry) : path === entry);
const secondsOf = (path) => Object.entries(SECOND_TIER).find(([entry]) => matches(entry, path))?.[1];

export const isFirstTier = (path) => secondsOf(path) === undefined || FIRST_TIER.some((entry) => matches(entry, path));
/** For a file of the second tier. */
export const estimateSeconds = secondsOf;

/** The quarter of the second tier, from 0, to which a test file belongs. It does not depend on other files. */
export const quarterOf = (path) => createHash('sha256').update(path).digest()[0] % QUARTER_COUNT;
/** The quarter that CI runs for a commit. Four commits in a row have all four. */
export const quarterOfCommit = (commitCount) => commitCount % QUARTER_COUNT;

/** Entries of the tables above that no test file has. */
export const findStale = (paths) =>
  [...Object.keys(SECOND_TIER), ...FIRST_TIER].filter((entry) => !paths.some((path) => matches(entry, path)));
