import { COMPARISON_ROW_COUNT_MAX, COMPARISON_TEXT_CHARS_MAX } from '../../../model/limits/comparisons.ts';
import type {
  ComparedRow,
  ComparisonGroup,
  ComparisonMeasure,
  DetailedRun,
  RowFilter,
  RowSort,
} from '../../../domain/domain.ts';
import { findToolCalls, toComparisonText } from '../../../domain/experiments/comparison/comparison-text.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { reject } from '../arguments.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode, rowIdsOfNodes } from '../node.ts';
import { experimentRef, type Resolvers } from '../resolvers.ts';

interface Compared {
  readonly experimentIds: readonly string[];
  readonly splitIds?: readonly string[] | null;
}

interface RowsInput extends Compared {
  readonly offset: number;
  readonly limit: number;
  readonly sort?: { readonly by: string; readonly experimentId?: string | null; readonly order: string } | null;
  readonly filter?: FilterInput | null;
}

type OrNull<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | null };
type FilterInput = OrNull<Omit<RowFilter, 'experimentRowId'> & { experimentId: string }>;

export const comparisonQueries: Resolvers = {
  async experimentComparison(
    _source,
    { input }: { readonly input: Compared & { readonly metadataKey?: string | null } },
    { domain, items, signal, loaders }: GraphqlContext,
  ) {
    const { experiments, measures, splits, metadataGroups, preferences, ...rest } =
      await domain.experiments.summarizeComparison(
        { ...toCompared(input), ...(input.metadataKey != null && { metadataKey: input.metadataKey }) },
        { readClass: 'interface', signal },
      );
    for (const experiment of experiments) loaders.experiments.prime(experiment.rowId, experiment);
    const toMeasures = (list: readonly ComparisonMeasure[]) => {
      items.take(list.length * (1 + experiments.length));
      return list.map(({ values, ...measure }) => ({
        ...measure,
        values: values.map((value, index) => ({ ...value, experimentId: input.experimentIds[index] })),
      }));
    };
    const toGroups = (groups: readonly ComparisonGroup[]) =>
      groups.map((group) => ({ ...group, measures: toMeasures(group.measures) }));
    return {
      ...rest,
      experiments: experiments.map(({ rowId }) => experimentRef(rowId)),
      measures: toMeasures(measures),
      splits: toGroups(splits),
      metadataGroups: toGroups(metadataGroups),
      preferences: preferences.map(({ experimentRowIds, ...preference }) => ({
        ...preference,
        experimentIds: experimentRowIds.map((rowId) => toGlobalId('Experiment', rowId)),
      })),
    };
  },
  async experimentComparisonRows(
    _source,
    { input }: { readonly input: RowsInput },
    { domain, items, signal }: GraphqlContext,
  ) {
    const { offset, limit } = input;
    if (offset < 0) reject('offset must not be negative');
    if (limit < 1 || limit > COMPARISON_ROW_COUNT_MAX) {
      reject(`limit must be 1 to ${COMPARISON_ROW_COUNT_MAX}, but is ${limit}`);
    }
    const { totalCount, sortedBy, rows } = await domain.experiments.listComparedRows(
      {
        ...toCompared(input),
        ...(input.sort && { sort: toSort(input.sort) }),
        ...(input.filter && { filter: toFilter(input.filter) }),
        offset,
        limit,
      },
      { readClass: 'interface', signal },
    );
    items.take(rows.length * (1 + input.experimentIds.length));
    return { totalCount, offset, sortedBy, rows: rows.map((row) => toRow(row, input.experimentIds)) };
  },
};

const toCompared = ({ experimentIds, splitIds }: Compared) => ({
  experimentRowIds: rowIdsOfNodes('Experiment', experimentIds),
  splitRowIds: rowIdsOfNodes('DatasetSplit', splitIds ?? []),
});

const toSort = ({ by, experimentId, order }: NonNullable<RowsInput['sort']>): RowSort => ({
  by,
  ...(experimentId != null && { experimentRowId: rowIdOfNode('Experiment', experimentId) }),
  isDescending: order === 'desc',
});

function toFilter({ experimentId, ...rest }: FilterInput): RowFilter {
  const given = Object.entries(rest).filter(([, value]) => value !== null && value !== '');
  return {
    ...(Object.fromEntries(given) as RowFilter),
    ...(experimentId != null && { experimentRowId: rowIdOfNode('Experiment', experimentId) }),
  };
}

const toRow = (
  { position, example, splits, runs, preferences }: ComparedRow,
  experimentIds: readonly string[],
): object => ({
  exampleId: toGlobalId('DatasetExample', example.exampleRowId),
  externalId: example.externalId,
  position,
  input: toComparisonText(example.input),
  reference: toComparisonText(example.output),
  splits,
  preferences: preferences.map(({ runRowIds, preferredRunRowId, explanation, isMine, authorName }) => ({
    runIds: runRowIds.map((rowId) => toGlobalId('ExperimentRun', rowId)),
    preferredRunId: preferredRunRowId === null ? null : toGlobalId('ExperimentRun', preferredRunRowId),
    explanation,
    isMine,
    author: authorName,
  })),
  cells: runs.map((list, index) => ({ experimentId: experimentIds[index], runs: list.map(toRun) })),
});

const toRun = ({ rowId, output, error, costs, projectRowId, scores, ...run }: DetailedRun): object => ({
  ...run,
  id: toGlobalId('ExperimentRun', rowId),
  output: error === null ? toComparisonText(output) : null,
  toolCalls: error === null ? findToolCalls(output) : [],
  error: error === null ? null : cut(error),
  totalTokens: costs === undefined ? null : costs.tokensPrompt + costs.tokensCompletion,
  totalCost: costs === undefined ? null : toDollars(costs),
  projectId: projectRowId === undefined ? null : toGlobalId('Project', projectRowId),
  scores: scores.map(({ score, explanation, ...rest }) => ({
    ...rest,
    score: score !== null && Number.isFinite(score) ? score : null,
    explanation: explanation === null ? null : cut(explanation),
  })),
});

const cut = (text: string): string =>
  text.length > COMPARISON_TEXT_CHARS_MAX ? `${text.slice(0, COMPARISON_TEXT_CHARS_MAX)}…` : text;

const PICO = 1e12;
/** The sum of a trace without prices is 0. */
const toDollars = ({ promptPico, completionPico }: NonNullable<DetailedRun['costs']>): number | null =>
  ((promptPico ?? 0) + (completionPico ?? 0)) / PICO || null;
