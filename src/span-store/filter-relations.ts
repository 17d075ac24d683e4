import type { AnnotationReference } from '../filter/span-filter.ts';
import { ANNOTATION_TARGETS } from '../model/annotation.ts';
import { type LongTextSource, sourceNumber } from './long-texts.ts';
import type { RowRange } from './row-range.ts';
import type { Parameters } from './sql.ts';

/** Rows of spans that a filter is asked of. */
export interface FilterScope extends RowRange {
  readonly projectId: number;
}

/** What a filter reads beside `spans`, each joined once and only when something asks for it. */
export class FilterRelations {
  readonly #scope: FilterScope;
  readonly #parameters: Parameters;
  readonly #joins = new Map<string, string>();
  readonly #annotations = new Map<string, string>();

  constructor(scope: FilterScope, parameters: Parameters) {
    this.#scope = scope;
    this.#parameters = parameters;
  }

  /** A condition that may use the joined columns, as one on rows of `spans` alone. */
  around(condition: string): string {
    if (this.#joins.size === 0) return condition;
    return `row_id IN (SELECT row_id FROM store.spans ${[...this.#joins.values()].join(' ')}
      WHERE ${this.#inScope('row_id')} AND project_id = ${this.#projectId()} AND ${condition})`;
  }

  get hasLongTexts(): boolean {
    return (['input_rest', 'output_rest', 'long_attributes'] as const).some((source) => this.#joins.has(source));
  }

  /** Prefix of the columns of an annotation (`annotationColumns`): a row for each annotation, or one of NULLs. */
  annotation({ scope, name }: AnnotationReference): string {
    const key = `${scope} ${name}`;
    const known = this.#annotations.get(key);
    if (known !== undefined) return known;
    const prefix = `annotation_${this.#annotations.size}`;
    this.#annotations.set(key, prefix);
    const columns = annotationColumns(prefix);
    this.#joins.set(
      prefix,
      `LEFT JOIN (
        SELECT target_row_id AS ${columns.row}, score AS ${columns.score}, label AS ${columns.label},
          explanation AS ${columns.explanation}
        FROM store.annotations
        WHERE target = ${ANNOTATION_TARGETS.indexOf(scope)} AND name = ${this.#parameters.text(name)}
          AND project_id = ${this.#projectId()}
      ) ON ${columns.row} = ${scope === 'span' ? 'row_id' : 'trace_row_id'}`,
    );
    return prefix;
  }

  /** The trace's ID as a text. */
  traceId(): string {
    if (!this.#joins.has('trace')) {
      this.#joins.set(
        'trace',
        `LEFT JOIN (
          SELECT row_id AS id_row, coalesce(trace_id_text, ${hexText('trace_id_high')} || ${hexText('trace_id_low')})
            AS id_text
          FROM store.traces WHERE project_id = ${this.#projectId()}
        ) ON id_row = trace_row_id`,
      );
    }
    return 'id_text';
  }

  /** A long text that is kept in pieces; NULL for other rows. */
  pieces(source: Exclude<LongTextSource, 'events'>): string {
    const column = `${source}_pieces`;
    if (!this.#joins.has(source)) {
      this.#joins.set(
        source,
        `LEFT JOIN (
          SELECT span_row_id AS ${source}_row, string_agg(piece, '' ORDER BY part) AS ${column} FROM store.long_texts
          WHERE source = ${sourceNumber(source)} AND ${this.#inScope('span_row_id')} GROUP BY span_row_id
        ) ON ${source}_row = row_id`,
      );
    }
    return column;
  }

  /**
   * Tokens of a span with all its stored descendants in the same trace, as `cumulateSpans` has them: from each span that
   * has tokens up to its ancestors, each once, so that cycles end.
   */
  cumulativeTokens(which: 'prompt' | 'completion'): string {
    if (!this.#joins.has('cumulative')) this.#joins.set('cumulative', this.#cumulative());
    return `coalesce(cumulative_${which}, 0)`;
  }

  #cumulative(): string {
    const inTraces = `trace_row_id IN (SELECT trace_row_id FROM traces_in_scope)`;
    return `LEFT JOIN (
      WITH RECURSIVE traces_in_scope AS (
        SELECT DISTINCT trace_row_id FROM store.spans
        WHERE ${this.#inScope('row_id')} AND project_id = ${this.#projectId()}
      ), nodes AS MATERIALIZED (
        SELECT row_id, trace_row_id, span_id, parent_span_id, coalesce(tokens_prompt, 0) AS prompt,
          coalesce(tokens_completion, 0) AS completion
        FROM store.spans
        WHERE row_id BETWEEN (SELECT min(first_span_row_id) FROM store.traces t
            WHERE t.row_id IN (SELECT trace_row_id FROM traces_in_scope))
          AND (SELECT max(last_span_row_id) FROM store.traces t
            WHERE t.row_id IN (SELECT trace_row_id FROM traces_in_scope))
          AND ${inTraces}
      ), ancestors AS (
        SELECT row_id AS source, row_id AS reached, trace_row_id AS of_trace, parent_span_id AS above
        FROM nodes WHERE prompt <> 0 OR completion <> 0
        UNION
        SELECT source, n.row_id, n.trace_row_id, n.parent_span_id
        FROM ancestors JOIN nodes n ON n.trace_row_id = of_trace AND n.span_id = above
      )
      SELECT reached AS cumulative_row, sum(prompt) AS cumulative_prompt, sum(completion) AS cumulative_completion
      FROM ancestors JOIN nodes s ON s.row_id = source GROUP BY reached
    ) ON cumulative_row = row_id`;
  }

  #inScope(column: string): string {
    const { first, last } = this.#scope;
    return `${column} BETWEEN ${this.#parameters.bigint(first)} AND ${this.#parameters.bigint(last)}`;
  }

  #projectId(): string {
    return this.#parameters.integer(this.#scope.projectId);
  }
}

export const annotationColumns = (prefix: string) => ({
  row: `${prefix}_row`,
  score: `${prefix}_score`,
  label: `${prefix}_label`,
  explanation: `${prefix}_explanation`,
});

/** A stored 64-bit ID as people write it. */
export const hexText = (column: string): string => `lpad(lower(to_hex(${column})), 16, '0')`;
