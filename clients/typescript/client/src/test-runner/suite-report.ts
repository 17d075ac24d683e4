import { findNode, type NodeModules } from '../node/index.ts';
import type { AcceptanceResult } from './acceptance.ts';
import type { Suite } from './suite.ts';
import { readTestSetting } from './test-params.ts';
import { lastByName } from './track-suite.ts';

/** A suite as a worker writes it for the reporter. */
export interface SuiteReport {
  readonly name: string;
  readonly experimentUrl: string | null;
  readonly tests: readonly {
    readonly name: string;
    readonly repetition: number;
    readonly durationMs: number;
    readonly isDryRun: boolean;
    readonly error: string | null;
    readonly annotations: readonly {
      readonly name: string;
      readonly score: number | null;
      readonly label: string | null;
      readonly error: string | null;
    }[];
  }[];
  readonly skippedTests: readonly string[];
  readonly acceptance: readonly AcceptanceResult[];
}

/** Suites of one run that are read. */
const FILE_COUNT_MAX = 10_000;

/** `SPANDREL_TEST_REPORT_DIR`, else a folder of the temporary directory for the working directory. @internal */
export function reportFolder({ os, path, process }: NodeModules): string {
  const name = `spandrel-tests-${hash(process.cwd())}`;
  return readTestSetting('REPORT_DIR') ?? path.join(os.tmpdir(), name);
}

/** Writes a suite for the reporter. A folder that cannot be written is a warning. */
export function writeSuiteReport(
  suite: Suite,
  acceptance: readonly AcceptanceResult[],
  experimentUrl: string | undefined,
  warn: (message: string) => void,
): void {
  const node = findNode();
  if (!node || suite.isSkipped) return;
  const report: SuiteReport = {
    name: suite.name,
    experimentUrl: experimentUrl ?? null,
    tests: suite.runs.map(({ test, run }) => ({
      ...{ name: run.testName, repetition: run.repetition, isDryRun: test.isDryRun, error: run.error },
      durationMs: run.endTime.getTime() - run.startTime.getTime(),
      annotations: lastByName(run.annotations).map(({ name, result, error }) => {
        return { name, score: result?.score ?? null, label: result?.label ?? null, error };
      }),
    })),
    skippedTests: suite.tests.filter(({ mark }) => mark === 'skip').map(({ name }) => name),
    acceptance,
  };
  try {
    const folder = reportFolder(node);
    node.fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = `${hash(`${suite.name}\0${node.process.pid}\0${Math.random()}`)}.json`;
    node.fs.writeFileSync(node.path.join(folder, file), JSON.stringify(report), { mode: 0o600 });
  } catch (error) {
    warn(`The report of "${suite.name}" cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Removes the suites of an earlier run. */
export function clearSuiteReports(): void {
  const node = findNode();
  if (!node) return;
  const folder = reportFolder(node);
  for (const name of listFiles(node, folder)) node.fs.rmSync(node.path.join(folder, name), { force: true });
}

/** The suites of this run, by name. A file that is damaged is left out. */
export function readSuiteReports(): SuiteReport[] {
  const node = findNode();
  if (!node) return [];
  const folder = reportFolder(node);
  const reports = listFiles(node, folder).flatMap((name): SuiteReport[] => {
    try {
      return [JSON.parse(node.fs.readFileSync(node.path.join(folder, name), 'utf8')) as SuiteReport];
    } catch {
      return [];
    }
  });
  return reports.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function listFiles({ fs }: NodeModules, folder: string): string[] {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((name) => /^[0-9a-f]{16}\.json$/.test(name))
    .slice(0, FILE_COUNT_MAX);
}

/** 64 bits as hexadecimal digits: two FNV-1a from different starts. */
function hash(text: string): string {
  return [0x811c9dc5, 0x01234567]
    .map((start) => {
      let value = start;
      for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
      return (value >>> 0).toString(16).padStart(8, '0');
    })
    .join('');
}
