import { expectPresent } from '../../../base/expect-present.ts';
import { ANNOTATION_TARGETS, ANNOTATOR_KINDS, type AnnotationTarget } from '../../../model/annotations/annotation.ts';
import { DOCUMENT_SCORE_SPAN_COUNT_MAX } from '../../../model/limits/reads.ts';
import type {
  AnnotationAggregates,
  AnnotationAggregatesQuery,
  DocumentScores,
  DocumentScoresQuery,
} from '../../contract/annotations.ts';
import { TABLE_OF_TARGET } from '../../duckdb/annotation-rows.ts';
import { int64 } from '../../duckdb/define-table.ts';
import type { RowRange } from '../../duckdb/row-range.ts';
import { numbers, select, toNumberOrNull, toText } from '../../duckdb/select-list.ts';
import { Parameters } from '../../duckdb/sql.ts';
import { binOf } from '../aggregates/bin-sql.ts';
import { overlaps, startsIn } from '../list-order.ts';
import { resolveFilters } from '../match/filter-conditions.ts';
import type { ReadContext } from '../read-context.ts';
import { findAnnotatedRowRanges } from './annotated-row-ranges.ts';
import { countDocuments } from './find-targets.ts';

// Aggregates of the annotations of a project.

const isOf = (projectId: number, target: AnnotationTarget, parameters: Parameters): string[] => [
  `project_id = ${parameters.integer(projectId)}`,
  `target = ${parameters.utinyint(ANNOTATION_TARGETS.indexOf(target))}`,
];

/** Aggregates by bin and name. */
export const aggregateAnnotations = (
  context: ReadContext,
  query: AnnotationAggregatesQuery,
): Promise<AnnotationAggregates[]> =>
  context.inSnapshot(async () => {
    const parameters = new Parameters();
    const places = await findAnnotatedRowRanges(context, isAnnotated(query, parameters), parameters);
    return places.length === 0 ? [] : aggregateIn(context, query, places);
  });

function isAnnotated({ projectId, target, names }: AnnotationAggregatesQuery, parameters: Parameters): string {
  const conditions = [...isOf(projectId, target, parameters), '(score IS NOT NULL OR label IS NOT NULL)'];
  if (names) conditions.push(parameters.textIn('name', names));
  return conditions.join(' AND ');
}

async function aggregateIn(
  context: ReadContext,
  query: AnnotationAggregatesQuery,
  places: readonly RowRange[],
): Promise<AnnotationAggregates[]> {
  const parameters = new Parameters();
  const condition = isAnnotated(query, parameters);
  const targets = await targetsOf(context, query, parameters, places);
  const bin = query.bins ? binOf(query.bins, 'start_ns', parameters) : 'NULL::BIGINT';
  const rows = await context.rows(
    `WITH annotated AS (
       SELECT target_row_id, name, score, label FROM store.annotations WHERE ${condition}
     ), found AS MATERIALIZED (
       SELECT ${bin} AS bin, target_row_id, name, score, label
       FROM annotated ${targets === undefined ? '' : `JOIN (${targets}) ON row_id = target_row_id`}
     ), entities AS (
       SELECT bin, name, count(*) AS records, count(score) AS scores, count(label) AS labels, sum(score) AS score_sum,
         avg(score) AS mean FROM found GROUP BY bin, name, target_row_id
     ), shares AS (
       SELECT bin, name, label, count(*) / sum(count(*)) OVER (PARTITION BY bin, name, target_row_id) AS share
       FROM found WHERE label IS NOT NULL GROUP BY bin, name, target_row_id, label
     )
     SELECT bin, name, NULL, count(*), sum(records), sum(scores), sum(labels), sum(score_sum), avg(mean)
     FROM entities GROUP BY bin, name
     UNION ALL
     SELECT bin, name, label, NULL, NULL, NULL, NULL, NULL, sum(share) FROM shares GROUP BY bin, name, label
     ORDER BY 1, 2, 3 NULLS FIRST`,
    parameters,
  );
  const sums: (AnnotationAggregates & { labels: { label: string; fraction: number }[] })[] = [];
  let entityCount = 0;
  for (const [start, name, label, entities, records, scores, labels, scoreSum, value] of rows) {
    if (label !== null) {
      expectPresent(sums.at(-1), 'labels follow their name').labels.push({
        label: toText(label),
        fraction: Number(value) / entityCount,
      });
      continue;
    }
    entityCount = Number(entities);
    sums.push({
      startTimeUnixMicro: start === null ? 0 : Number(start),
      name: toText(name),
      count: Number(records),
      scoreCount: Number(scores),
      labelCount: Number(labels),
      meanScore: toNumberOrNull(value),
      averageScore: scoreSum === null ? null : Number(scoreSum) / Number(scores),
      labels: [],
    });
  }
  return sums;
}

/** SQL text: row ids and starts of the selected targets in these ranges. Undefined if all targets are selected. */
async function targetsOf(
  context: ReadContext,
  query: AnnotationAggregatesQuery,
  parameters: Parameters,
  places: readonly RowRange[],
): Promise<string | undefined> {
  const table = TABLE_OF_TARGET[query.target];
  const conditions = [
    ...inRange(query, table, parameters),
    ...(await resolveFilters(context, query, table, parameters)),
  ];
  if (conditions.length === 0 && !query.bins) return undefined;
  conditions.push(`project_id = ${parameters.integer(query.projectId)}`);
  return places
    .map(({ first, last }) => {
      const isThere = `row_id BETWEEN ${parameters.bigint(first)} AND ${parameters.bigint(last)}`;
      return `SELECT row_id, start_ns FROM store.${table} WHERE ${[isThere, ...conditions].join(' AND ')}`;
    })
    .join(' UNION ALL ');
}

function inRange(
  query: AnnotationAggregatesQuery,
  table: 'spans' | 'traces' | 'sessions',
  parameters: Parameters,
): string[] {
  // The range then applies to the traces of the spans.
  if (table === 'spans' && query.isOfRoots) return [];
  return table === 'sessions' && !query.bins ? overlaps(query, parameters) : startsIn(query, parameters);
}

/** Spans whose documents are counted at a time, because their attributes may be long. */
const BATCH_SPAN_COUNT = 1_000;

const DOCUMENT_SCORES = {
  rowId: int64('target_row_id'),
  positions: numbers('list(document_position ORDER BY row_id)'),
  scores: numbers('list(score ORDER BY row_id)'),
};

export async function findDocumentScores(context: ReadContext, query: DocumentScoresQuery): Promise<DocumentScores[]> {
  const parameters = new Parameters();
  const conditions = [
    ...isOf(query.projectId, 'document', parameters),
    `annotator_kind = ${parameters.utinyint(ANNOTATOR_KINDS.indexOf('LLM'))}`,
    `name = ${parameters.text(query.name)}`,
    'score IS NOT NULL',
  ];
  const all = [{ first: 1, last: context.newestSpanRowId }];
  const spans = await targetsOf(context, { ...query, target: 'document' }, parameters, all);
  if (spans) conditions.push(`target_row_id IN (SELECT row_id FROM (${spans}))`);
  const annotated = await select(
    context,
    DOCUMENT_SCORES,
    `FROM store.annotations WHERE ${conditions.join(' AND ')}
     GROUP BY target_row_id ORDER BY target_row_id DESC LIMIT ${DOCUMENT_SCORE_SPAN_COUNT_MAX}`,
    parameters,
  );
  const found: DocumentScores[] = [];
  for (let from = 0; from < annotated.length; from += BATCH_SPAN_COUNT) {
    const batch = annotated.slice(from, from + BATCH_SPAN_COUNT);
    const counts = await countDocuments(
      context,
      batch.map(({ rowId }) => rowId),
    );
    for (const { rowId, positions, scores } of batch) {
      const byPosition = new Array<number>(counts.get(rowId) ?? 0).fill(Number.NaN);
      for (const [index, at] of positions.entries())
        if (at < byPosition.length) byPosition[at] = expectPresent(scores[index], 'each position has a score');
      if (byPosition.length > 0) found.push(byPosition);
    }
  }
  return found;
}
