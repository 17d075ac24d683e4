import { Type } from '@sinclair/typebox';
import { COMPARED_EXPERIMENT_COUNT_MAX } from '../../../model/limits/comparisons.ts';
import type { RowFilter, RowSort } from '../../../domain/domain.ts';
import { withTexts } from '../../contract/error-texts.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { attachment } from '../content-disposition.ts';
import { defineRoute, OtherAnswer, type RestRoute, TextStream } from '../define-route.ts';
import { rowIdInNode } from '../row-id.ts';
import { OneOf } from '../schema.ts';
import { toReportHtml } from './comparison-report.ts';
import { EXPERIMENT_NOT_FOUND } from './experiments.ts';

const text = (description: string) => Type.Optional(Type.String({ description }));

/** The same selection as the rows of a comparison in GraphQL. */
const SELECTION = {
  experiment_id: Type.Array(Type.String(), {
    description: `Global IDs of 2 to ${COMPARED_EXPERIMENT_COUNT_MAX} experiments of a dataset, the baseline first.`,
  }),
  split_id: Type.Optional(
    Type.Array(Type.String(), { description: 'Only examples that are in one of these splits now.' }),
  ),
  sort: text(
    'Key of a measure, such as `score:correctness` or `latencyMs`, or `first`: the first score with a direction, else the latency. Default: the order of the dataset.',
  ),
  sort_experiment_id: text('Sorts by the difference of this experiment to the baseline. Default: the worst of all.'),
  order: OneOf(['asc', 'desc'], { default: 'asc', description: '`asc`: the largest regression first.' }),
  regressed_on: text('Key of a measure on which the example is worse than the one of the baseline.'),
  improved_on: text('Key of a measure on which the example is better than the one of the baseline.'),
  filter_experiment_id: text('Limits the other conditions to this experiment. Default: any experiment.'),
  has_error: Type.Optional(Type.Boolean({ description: 'Only examples with a failed run, or only those without.' })),
  is_missing: Type.Optional(Type.Boolean({ description: 'Only examples that an experiment has not run, or has.' })),
  slower_than_ms: text('Only examples with a run that took longer.'),
  disagree_on: text('Name of a score on which the annotators of a run disagree.'),
  condition: text('A filter of runs, such as `experiments[0].latency_ms > 1000`.'),
  text: text('Part of the input, the reference output, an output or an error. Case is ignored.'),
};

type Selection = {
  readonly [Name in keyof typeof SELECTION]?: Name extends 'experiment_id' | 'split_id'
    ? readonly string[]
    : Name extends 'has_error' | 'is_missing'
      ? boolean
      : string;
};

const ERRORS = {
  404: EXPERIMENT_NOT_FOUND,
  422: 'A comparison has 2 to 8 experiments, but received <count>.',
};

export const experimentComparisonRoutes = (): RestRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/v1/experiment_comparisons/csv',
    access: 'viewer',
    operationId: 'getExperimentComparisonCsv',
    tag: 'experiments',
    summary: 'Download the rows of a comparison of experiments as CSV',
    description:
      'A line per example and repetition, with the outputs, errors, latencies, costs and scores of each experiment. Texts have at most 2,000 characters. A text that a spreadsheet would run as a formula starts with an apostrophe.',
    query: Type.Object(SELECTION),
    success: { status: 200, contentType: 'text/csv', description: 'The file.' },
    errors: ERRORS,
    async handle({ domain, query, signal }) {
      const chunks = await withTexts(ABSENT, () =>
        domain.experiments.exportComparisonCsv(toQuery(query), (rowId) => toGlobalId('DatasetExample', rowId), {
          readClass: 'export',
          signal,
        }),
      );
      const headers = { 'content-type': 'text/csv', 'content-disposition': attachment('comparison', 'csv') };
      return new TextStream(headers, chunks);
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/experiment_comparisons/report',
    access: 'viewer',
    operationId: 'getExperimentComparisonReport',
    tag: 'experiments',
    summary: 'Download a report of a comparison of experiments as one HTML file',
    description:
      'Contains the summary with 95 % intervals, notices, differences by group and the largest regressions with their texts. The file has no scripts and requests nothing.',
    query: Type.Object({
      ...SELECTION,
      metadata_key: text("Also groups by the values of this key of the examples' metadata."),
    }),
    success: { status: 200, contentType: 'text/html', description: 'The file.' },
    errors: ERRORS,
    async handle({ domain, query, signal }) {
      const { metadata_key: metadataKey } = query;
      const report = await withTexts(ABSENT, () =>
        domain.experiments.reportComparison(
          { ...toQuery(query), ...(metadataKey && { metadataKey }) },
          { readClass: 'api', signal },
        ),
      );
      return new OtherAnswer({
        status: 200,
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'content-disposition': attachment('comparison', 'html'),
          'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        },
        body: Buffer.from(toReportHtml(report, new Date())),
      });
    },
  }),
];

const ABSENT = {
  EXPERIMENT_NOT_FOUND: ({ ids }: { readonly ids: string }) => `Experiment with ID ${ids} does not exist`,
};

const experimentRowId = (id: string): number =>
  rowIdInNode('Experiment', id, `Invalid experiment ID format: ${id}`, `Experiment with ID ${id} does not exist`);

const splitRowId = (id: string): number =>
  rowIdInNode(
    'DatasetSplit',
    id,
    `Invalid dataset split ID format: ${id}`,
    `DatasetSplit with ID ${id} does not exist`,
  );

function toQuery(query: Selection) {
  const experimentRowIds = (query.experiment_id ?? []).map(experimentRowId);
  return {
    experimentRowIds,
    splitRowIds: (query.split_id ?? []).map(splitRowId),
    ...(query.sort && { sort: toSort(query.sort, query) }),
    filter: toFilter(query),
  };
}

const toSort = (by: string, { sort_experiment_id: id, order }: Selection): RowSort => ({
  by,
  ...(id && { experimentRowId: experimentRowId(id) }),
  isDescending: order === 'desc',
});

function toFilter(query: Selection): RowFilter {
  const { filter_experiment_id: id, slower_than_ms: slower, has_error, is_missing } = query;
  const slowerThanMs = slower === undefined ? Number.NaN : Number(slower);
  return {
    ...(query.regressed_on && { regressedOn: query.regressed_on }),
    ...(query.improved_on && { improvedOn: query.improved_on }),
    ...(id && { experimentRowId: experimentRowId(id) }),
    ...(has_error !== undefined && { hasError: has_error }),
    ...(is_missing !== undefined && { isMissing: is_missing }),
    ...(Number.isFinite(slowerThanMs) && { slowerThanMs }),
    ...(query.disagree_on && { disagreeOn: query.disagree_on }),
    ...(query.text && { text: query.text }),
    ...(query.condition && { condition: query.condition }),
  };
}
