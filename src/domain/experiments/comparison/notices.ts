import { type Comparison, findRows } from './comparison.ts';
import type { ComparisonGroup, ComparisonMeasure } from './comparison-summary.ts';
import type { Measure } from './measures.ts';

interface Described {
  readonly exampleCount: number;
  readonly commonExampleCount: number;
  readonly measures: readonly ComparisonMeasure[];
  readonly splits: readonly ComparisonGroup[];
  readonly metadataGroups: readonly ComparisonGroup[];
  /** More groups than are shown. */
  readonly isTruncated: boolean;
}

/** Sentences about the data that a reader of the numbers must know, such as missing runs. */
export function listNotices(
  comparison: Comparison,
  described: Described,
  measures: readonly Measure[],
  isCommon: Uint8Array,
): string[] {
  return [
    ...aboutExamples(comparison, described),
    ...aboutRevisions(comparison, isCommon),
    ...aboutRepetitions(comparison),
    ...aboutRuns(comparison, described, isCommon),
    ...aboutScores(comparison, measures),
    ...aboutPairs(comparison, described),
    ...aboutDirections(measures),
    ...aboutGroups(described),
  ];
}

const named = ({ experiments }: Comparison, index: number): string =>
  index === 0 ? `the baseline “${experiments[0]?.name}”` : `“${experiments[index]?.name}”`;

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `1,234`. The first call of `toLocaleString` in a process takes longer than all notices. */
const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');

const plural = (count: number, noun: string): string => `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;

function sumOf(values: Uint8Array): number {
  let sum = 0;
  for (let index = 0; index < values.length; index++) sum += values[index] as number;
  return sum;
}

function aboutExamples({ experiments }: Comparison, { exampleCount, commonExampleCount }: Described): string[] {
  if (exampleCount === 0) return ['The baseline has no examples in this selection.'];
  const versions = new Set(experiments.map(({ datasetVersionRowId }) => datasetVersionRowId));
  const only =
    commonExampleCount === 0
      ? 'No example is in all of them, so nothing can be compared.'
      : `Only the ${plural(commonExampleCount, 'example')} that all of them have ${commonExampleCount === 1 ? 'is' : 'are'} compared.`;
  if (versions.size > 1) return [`The experiments ran on ${versions.size} versions of the dataset. ${only}`];
  return commonExampleCount < exampleCount ? [`The experiments ran on different examples. ${only}`] : [];
}

function aboutRevisions(comparison: Comparison, isCommon: Uint8Array): string[] {
  const { columns, exampleRowIds } = comparison;
  const [baseline] = columns;
  if (columns.every(({ revisionRowIds }) => revisionRowIds === baseline?.revisionRowIds)) return [];
  const revisionOf = new Float64Array(exampleRowIds.length).fill(Number.NaN);
  const isChanged = new Uint8Array(exampleRowIds.length);
  for (const column of columns) {
    const rows = findRows(column.exampleRowIds, exampleRowIds);
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index] as number;
      if (row < 0 || isCommon[row] === 0) continue;
      const revision = column.revisionRowIds[index] as number;
      if (Number.isNaN(revisionOf[row])) revisionOf[row] = revision;
      else if (revisionOf[row] !== revision) isChanged[row] = 1;
    }
  }
  const count = sumOf(isChanged);
  if (count === 0) return [];
  return [
    `${plural(count, 'compared example')} had another content in one of the experiments. Part of their differences may come from that.`,
  ];
}

function aboutRepetitions(comparison: Comparison): string[] {
  const [baseline, ...others] = comparison.experiments;
  if (baseline === undefined) return [];
  const differing = others.flatMap((experiment, index) =>
    experiment.repetitions === baseline.repetitions
      ? []
      : [
          `${sentence(named(comparison, index + 1))} has ${plural(experiment.repetitions, 'repetition')} and the baseline has ${baseline.repetitions}. Their differences are those of the means of each example.`,
        ],
  );
  if (differing.length > 0 || baseline.repetitions === 1) return differing;
  return [
    `Each example has ${baseline.repetitions} repetitions. They are paired, and an example counts once, because repetitions of one example are not independent.`,
  ];
}

function aboutRuns(comparison: Comparison, { commonExampleCount }: Described, isCommon: Uint8Array): string[] {
  return comparison.columns.flatMap(({ runs }, index) => {
    const name = sentence(named(comparison, index));
    if (runs.count === 0) return [`${name} has no runs yet.`];
    const hasRun = new Uint8Array(isCommon.length);
    let failed = 0;
    let total = 0;
    const rows = comparison.rowsOfRuns[index] as Int32Array;
    for (let run = 0; run < rows.length; run++) {
      const row = rows[run] as number;
      if (row < 0 || isCommon[row] === 0) continue;
      hasRun[row] = 1;
      total++;
      failed += runs.hasError[run] as number;
    }
    const missing = commonExampleCount - sumOf(hasRun);
    return [
      ...(missing > 0
        ? [`${name} has no run of ${grouped(missing)} of ${plural(commonExampleCount, 'example')}.`]
        : []),
      ...(failed > 0
        ? [
            `${name} failed in ${grouped(failed)} of ${plural(total, 'run')}. Failed runs count as errors, not in the latency.`,
          ]
        : []),
    ];
  });
}

/** Runs without a score that other runs have. */
function aboutScores(comparison: Comparison, measures: readonly Measure[]): string[] {
  return measures.flatMap(({ key, name, kind, values }) => {
    if (kind === 'LATENCY' || kind === 'ERROR_RATE' || key.startsWith('human:')) return [];
    return comparison.columns.flatMap(({ runs, scores }, index) => {
      const bad = kind === 'SCORE' ? (scores.get(name)?.nonFiniteCount ?? 0) : 0;
      const rows = comparison.rowsOfRuns[index] as Int32Array;
      const column = values[index] as Float64Array;
      let absent = -bad;
      let total = 0;
      for (let run = 0; run < runs.count; run++) {
        if ((rows[run] as number) < 0 || runs.hasError[run] === 1) continue;
        total++;
        if (Number.isNaN(column[run])) absent++;
      }
      const of = `in ${named(comparison, index)}`;
      const what = kind === 'SCORE' ? `a score “${name}”` : kind === 'COST' ? 'a known cost' : 'known tokens';
      return [
        ...(bad > 0
          ? [
              `${plural(bad, 'score')} “${name}” ${of} ${bad === 1 ? 'is not a finite number and is' : 'are not finite numbers and are'} left out.`,
            ]
          : []),
        ...(absent > 0
          ? [
              `${grouped(absent)} of ${plural(total, 'successful run')} ${of} ${absent === 1 ? 'has' : 'have'} no ${what.replace(/^a /, '')}.`,
            ]
          : []),
      ];
    });
  });
}

function aboutPairs(comparison: Comparison, { measures }: Described): string[] {
  return measures.flatMap(({ name, values }) =>
    values.flatMap(({ count, difference }, index) =>
      difference?.count === 0 && count > 0 && (values[0]?.count ?? 0) > 0
        ? [`${sentence(named(comparison, index))} and the baseline have ${name} on no example in common.`]
        : [],
    ),
  );
}

function aboutDirections(measures: readonly Measure[]): string[] {
  const names = measures.filter(({ isDirectionAssumed }) => isDirectionAssumed).map(({ name }) => `“${name}”`);
  if (names.length === 0) return [];
  const list = names.length > 5 ? `${names.slice(0, 5).join(', ')} and others` : names.join(', ');
  return [
    `No annotation config says which direction of ${list} is better, so a higher score counts as better. Create a config of this name to change that.`,
  ];
}

function aboutGroups({ splits, metadataGroups, isTruncated }: Described): string[] {
  const groups = [...splits, ...metadataGroups];
  const count = groups
    .flatMap(({ measures }) => measures.flatMap(({ values }) => values))
    .filter(({ difference }) => difference !== null && difference.count > 0).length;
  return [
    ...(isTruncated ? ['There are more groups than are shown. The largest are.'] : []),
    ...(count >= 20
      ? [`The groups have ${count} differences. By chance alone, about one in 20 looks clear when nothing has changed.`]
      : []),
  ];
}
