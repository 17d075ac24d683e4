import { type Action, UsageError } from '../command-line/command.ts';
import { EXIT } from '../exit-codes.ts';
import type { Output } from '../output/output.ts';
import { toTable } from '../output/table.ts';
import { toSafeText } from '../output/text.ts';
import { checkExperiment } from './find.ts';
import { queryGraphql } from './graphql.ts';

interface Value {
  readonly count: number;
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

interface Difference extends Value {
  readonly verdict: 'BETTER' | 'WORSE' | 'UNCLEAR';
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
  readonly sentence: string;
}

interface Measure {
  readonly key: string;
  readonly name: string;
  readonly direction: string;
  readonly values: readonly (Value & { readonly experimentId: string; readonly difference: Difference | null })[];
}

interface Report {
  readonly exampleCount: number;
  readonly commonExampleCount: number;
  readonly notices: readonly string[];
  readonly measures: readonly Measure[];
}

const QUERY = `query ($ids: [ID!]!) {
  report: experimentComparison(input: { experimentIds: $ids }) {
    exampleCount commonExampleCount notices
    measures {
      key name direction
      values { experimentId count mean low high
        difference { count mean low high verdict wins losses ties sentence } }
    }
  }
}`;

/** `regression`, `regression:<measure>`, `<measure> < 0.8`, `difference:<measure> < -0.02`. */
const CONDITION = /^(difference:)?(.+?)\s*(<=|>=|<|>)\s*(-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/i;

interface Condition {
  readonly text: string;
  /** Sentences of the measures for which the condition holds. */
  readonly find: (measures: readonly Measure[]) => readonly string[];
}

/** Compares two experiments, the baseline first. Exit code 7 when a condition of `--fail-on` holds. */
export const compareExperiments: Action = async ({ client, argument, list, out, signal }) => {
  const conditions = list('fail-on').map(parseCondition);
  const ids = [argument(0), argument(1)];
  if (ids[0] === ids[1])
    throw new UsageError('The two experiments are the same. Pass the baseline, then the candidate.');
  const server = await client();
  const query = queryGraphql<{ readonly report: Report }>(server, QUERY, { ids }, signal);
  const { report } = await query.catch(async (error: unknown) => {
    for (const id of ids) await checkExperiment(server, id, signal);
    throw error;
  });
  const failures = conditions.flatMap(({ text, find }) =>
    find(report.measures).map((reason) => ({ condition: text, reason })),
  );
  await out.item({ baseline: ids[0], candidate: ids[1], ...report, failures }, () => toText(report, out));
  for (const { condition, reason } of failures) out.note(`Failed: ${condition}: ${toSafeText(reason)}`);
  return failures.length > 0 ? EXIT.conditionMet : EXIT.ok;
};

function parseCondition(text: string): Condition {
  const trimmed = text.trim();
  const [, , named] = /^(regression)(?::(.+))?$/i.exec(trimmed) ?? [];
  if (/^regression(:|$)/i.test(trimmed)) {
    return {
      text: trimmed,
      find: (measures) =>
        chosen(measures, named).flatMap(({ values }) =>
          values.flatMap(({ difference }) => (difference?.verdict === 'WORSE' ? [difference.sentence] : [])),
        ),
    };
  }
  const [, isDifference, name, sign = '', bound = ''] = CONDITION.exec(trimmed) ?? [];
  if (!name) {
    throw new UsageError(
      `--fail-on must be "regression", "regression:<measure>", "<measure> < 0.8" or "difference:<measure> < -0.02", received "${trimmed}".`,
    );
  }
  const find = (measures: readonly Measure[]) =>
    chosen(measures, name).flatMap(({ name: shown, values }) => {
      const candidate = values[1];
      const value = (isDifference ? candidate?.difference?.mean : candidate?.mean) ?? undefined;
      if (value === undefined) return [`${shown} has no value`];
      return holds(value, sign, Number(bound)) ? [`${shown} is ${toNumber(value)}`] : [];
    });
  return { text: trimmed, find };
}

/** Measures by key or name. A name that no measure has is an error: a check that checks nothing would pass. */
function chosen(measures: readonly Measure[], name: string | undefined): readonly Measure[] {
  if (name === undefined) return measures;
  const found = measures.filter((measure) => measure.key === name || measure.name === name);
  if (found.length > 0) return found;
  const names = measures.map(({ name: known }) => known).join(', ');
  throw new UsageError(
    `--fail-on names the measure "${name}", which the experiments do not have. They have: ${names}.`,
  );
}

function holds(value: number, sign: string, bound: number): boolean {
  if (sign === '<') return value < bound;
  if (sign === '<=') return value <= bound;
  return sign === '>' ? value > bound : value >= bound;
}

/** Units of the measures that are no scores, by key. */
const UNITS: ReadonlyMap<string, string> = new Map([
  ['latencyMs', ' (ms)'],
  ['totalCost', ' ($)'],
]);

const toNumber = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : String(Number(value.toPrecision(4)));

function toText(report: Report, out: Output): string {
  const columns = [
    { title: 'MEASURE' },
    { title: 'BASELINE', isRight: true },
    { title: 'CANDIDATE', isRight: true },
    { title: 'DIFFERENCE', isRight: true },
    { title: '95 % INTERVAL', isRight: true },
    { title: 'BETTER/WORSE/EQUAL', isRight: true },
    { title: 'VERDICT' },
  ];
  const rows = report.measures.map(({ key, name, values: [base, candidate] }) => {
    const difference = candidate?.difference;
    return [
      `${name}${UNITS.get(key) ?? ''}`,
      toNumber(base?.mean),
      toNumber(candidate?.mean),
      toNumber(difference?.mean),
      difference ? `${toNumber(difference.low)} to ${toNumber(difference.high)}` : '',
      difference ? `${difference.wins}/${difference.losses}/${difference.ties}` : '',
      difference?.verdict.toLowerCase() ?? '',
    ];
  });
  const notices = report.notices.map((notice) => `\n${toSafeText(notice)}`).join('');
  return `${report.commonExampleCount} of ${report.exampleCount} examples compared\n\n${toTable(columns, rows, { isFirst: true, output: out })}${notices}`;
}
