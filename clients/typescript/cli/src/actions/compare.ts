import { compareExperiments as compare, type ExperimentComparison } from '@spandrel/client/experiments';
import { type Action, UsageError } from '../command-line/command.ts';
import { EXIT } from '../exit-codes.ts';
import type { Output } from '../output/output.ts';
import { toTable } from '../output/table.ts';
import { toSafeText } from '../output/text.ts';
import { checkExperiment } from './find.ts';

type Measure = ExperimentComparison['measures'][number];

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
  const [baselineId, candidateId] = ids as [string, string];
  const report = await compare({ client: server, baselineId, candidateId, signal }).catch(async (error: unknown) => {
    for (const id of ids) await checkExperiment(server, id, signal);
    throw error;
  });
  const failures = conditions.flatMap(({ text, find }) =>
    find(report.measures).map((reason) => ({ condition: text, reason })),
  );
  const measures = report.measures.map(({ baseline, candidate, difference, ...measure }) => ({
    ...measure,
    values: [
      { experimentId: baselineId, ...baseline, difference: null },
      { experimentId: candidateId, ...candidate, difference },
    ],
  }));
  await out.item({ baseline: baselineId, candidate: candidateId, ...report, measures, failures }, () =>
    toText(report, out),
  );
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
        chosen(measures, named).flatMap(({ difference: { verdict, sentence } }) =>
          verdict === 'WORSE' ? [sentence] : [],
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
    chosen(measures, name).flatMap(({ name: shown, candidate, difference }) => {
      const value = isDifference ? difference.mean : candidate.mean;
      if (value === null) return [`${shown} has no value`];
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

const toNumber = (value: number | null): string => (value === null ? '–' : String(Number(value.toPrecision(4))));

function toText(report: ExperimentComparison, out: Output): string {
  const columns = [
    { title: 'MEASURE' },
    { title: 'BASELINE', isRight: true },
    { title: 'CANDIDATE', isRight: true },
    { title: 'DIFFERENCE', isRight: true },
    { title: '95 % INTERVAL', isRight: true },
    { title: 'BETTER/WORSE/EQUAL', isRight: true },
    { title: 'VERDICT' },
  ];
  const rows = report.measures.map(({ key, name, baseline, candidate, difference }) => [
    `${name}${UNITS.get(key) ?? ''}`,
    toNumber(baseline.mean),
    toNumber(candidate.mean),
    toNumber(difference.mean),
    difference.low === null
      ? `too few (${difference.count})`
      : `${toNumber(difference.low)} to ${toNumber(difference.high)}`,
    `${difference.wins}/${difference.losses}/${difference.ties}`,
    difference.verdict.toLowerCase(),
  ]);
  const notices = report.notices.map((notice) => `\n${toSafeText(notice)}`).join('');
  return `${report.commonExampleCount} of ${report.exampleCount} examples compared\n\n${toTable(columns, rows, { isFirst: true, output: out })}${notices}`;
}
