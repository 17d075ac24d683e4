import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesBelow, readText } from './repository.ts';

/**
 * Parts of the interface that exist once, by a text of their code, and the files that may contain it, each with its reason.
 */
const PARTS: readonly {
  readonly part: string;
  readonly code: RegExp;
  readonly files: Readonly<Record<string, string>>;
}[] = [
  {
    part: 'rows that exist while they are visible',
    code: /\buseVirtualizer\b/,
    files: {
      'components/table/use-visible-rows.ts': 'the table and the tree of a trace',
      'pages/playground/grid/CaseRows.tsx': 'rows contain editors, and have the height of their content',
    },
  },
  {
    part: 'a dialog',
    code: /<dialog\b|\bshowModal\b|<ariakit\.Dialog\b/,
    files: {
      'components/Dialog.tsx': 'dialogs and confirmations',
      'shell/CommandPalette.tsx': 'a search field instead of a title',
    },
  },
  {
    part: 'a comparison of texts',
    code: /from 'diff'/,
    files: { 'components/diff/diff-text.ts': 'words and lines' },
  },
  {
    part: 'a table of differences',
    code: /<table className="diff\b/,
    files: { 'components/diff/DiffTable.tsx': 'values by path' },
  },
];

/**
 * Files with an HTML table, which has a few rows that are read as text. Lists that grow, are sorted or selected are a
 * `DataTable`.
 */
const HTML_TABLES: Readonly<Record<string, string>> = {
  'components/dataset-files/FilePreviewTables.tsx': 'the first rows of a file',
  'components/diff/DiffTable.tsx': 'differences of one value',
  'components/values/Markdown.tsx': 'tables of a text',
  'pages/comparison/summary/HeatTable.tsx': 'differences by group',
  'pages/comparison/summary/MeasureCard.tsx': 'one row per experiment',
  'pages/comparison/summary/Preferences.tsx': 'one row per pair of experiments',
  'pages/dataset/evaluators/EvaluatorDetails.tsx': 'results of one evaluator',
  'pages/dataset/examples/ExampleRuns.tsx': 'runs of one example',
  'pages/dataset/experiments/details/ExperimentPage.tsx': 'scores of one experiment',
  'pages/evaluators/calibration/CalibrationComparison.tsx': 'measures of two calibrations',
  'pages/evaluators/calibration/CalibrationItems.tsx': 'items of one calibration, in pages',
  'pages/evaluators/calibration/MeasuresView.tsx': 'the confusion matrix',
  'pages/projects/ProjectsTable.tsx': 'the cards of projects as rows',
  'pages/prompt/production/UsageTable.tsx': 'figures of each version',
  'pages/prompt/version/SchemaTable.tsx': 'properties of a schema',
  'pages/settings/IngestPage.tsx': 'figures of the ingest pipeline',
  'pages/settings/audit/AuditEntry.tsx': 'fields of one entry',
  'pages/trace/span/Usage.tsx': 'tokens and costs of a span',
};

const sources = filesBelow('src/web')
  .filter((path) => /\.tsx?$/.test(path) && !path.includes('/generated/'))
  .map((path): readonly [string, string] => [path.replace(/^src\/web\//, ''), readText(path)]);
const filesWith = (code: RegExp): string[] => sources.flatMap(([path, text]) => (code.test(text) ? [path] : [])).sort();

for (const { part, code, files } of PARTS) {
  test(`the interface has one implementation of ${part}`, () => {
    assert.deepEqual(filesWith(code), Object.keys(files).sort());
  });
}

test('an HTML table has a few rows that are read as text', () => {
  assert.deepEqual(filesWith(/<table\b/), Object.keys(HTML_TABLES).sort());
});
