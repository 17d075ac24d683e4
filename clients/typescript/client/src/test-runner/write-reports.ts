import { findNode } from '../node/index.ts';
import { readVariable } from '../settings/environment.ts';
import { toJUnit, toMarkdown, toSummary } from './format-reports.ts';
import { clearSuiteReports, readSuiteReports } from './suite-report.ts';
import { readTestSetting } from './test-params.ts';

/** Files of a reporter. */
export interface ReporterOptions {
  /** Path of a JUnit file. Default `SPANDREL_TEST_JUNIT`; without both there is none. */
  readonly junit?: string;
  /** Path of a Markdown file. Default `SPANDREL_TEST_MARKDOWN`. A summary of GitHub Actions is written too. */
  readonly markdown?: string;
}

/** Before the tests of a run. */
export const beginReports = (): void => clearSuiteReports();

/** After the tests of a run: prints a summary and writes the files. */
export function writeReports({
  junit = readTestSetting('JUNIT'),
  markdown = readTestSetting('MARKDOWN'),
}: ReporterOptions): void {
  const node = findNode();
  const reports = readSuiteReports();
  if (!node || reports.length === 0) return;
  console.log(['', ...toSummary(reports)].join('\n'));
  const write = (path: string | undefined, text: () => string, mode: 'writeFileSync' | 'appendFileSync') => {
    if (!path) return;
    try {
      node.fs.mkdirSync(node.path.dirname(path), { recursive: true });
      node.fs[mode](path, text());
    } catch (error) {
      console.warn(`The report ${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  write(junit, () => toJUnit(reports), 'writeFileSync');
  write(markdown, () => toMarkdown(reports), 'writeFileSync');
  write(readVariable('GITHUB_STEP_SUMMARY'), () => `${toMarkdown(reports)}\n`, 'appendFileSync');
}
