import { ANNOTATION_TARGETS } from '../../model/annotations/annotation.ts';
import type { AnnotationReference } from '../../filter/spans/span-filter.ts';
import { type LongTextSource, sourceNumber } from '../duckdb/long-texts.ts';
import type { Parameters } from '../duckdb/sql.ts';
import { cumulativeTokens } from './cumulative-tokens.ts';
import { SCOPE } from './filter-plan.ts';

/** Tables that a filter reads besides `spans`. Each is joined once, and only if the filter uses it. */
export class FilterRelations {
  readonly #parameters: Parameters;
  readonly #joins = new Map<string, string>();
  readonly #annotations = new Map<string, string>();

  constructor(parameters: Parameters) {
    this.#parameters = parameters;
  }

  /** A condition that may use the joined columns, as one on rows of `spans` alone. */
  around(condition: string): string {
    if (this.#joins.size === 0) return condition;
    return `row_id IN (SELECT row_id FROM store.spans ${[...this.#joins.values()].join(' ')}
      WHERE ${inScope('row_id')} AND project_id = ${SCOPE.projectId} AND ${condition})`;
  }

  get hasLongTexts(): boolean {
    return (['input_rest', 'output_rest', 'long_attributes'] as const).some((source) => this.#joins.has(source));
  }

  /** Prefix of the columns of an annotation (`annotationColumns`): one row per annotation, or one row of NULLs. */
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
          AND project_id = ${SCOPE.projectId}
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
          FROM store.traces WHERE project_id = ${SCOPE.projectId}
        ) ON id_row = trace_row_id`,
      );
    }
    return 'id_text';
  }

  /** A long text that is stored in chunks. NULL for other rows. */
  longText(source: Exclude<LongTextSource, 'events'>): string {
    const column = `${source}_joined`;
    if (!this.#joins.has(source)) {
      this.#joins.set(
        source,
        `LEFT JOIN (
          SELECT span_row_id AS ${source}_row, string_agg(piece, '' ORDER BY part) AS ${column} FROM store.long_texts
          WHERE source = ${sourceNumber(source)} AND ${inScope('span_row_id')} GROUP BY span_row_id
        ) ON ${source}_row = row_id`,
      );
    }
    return column;
  }

  /** Tokens of a span with all its stored descendants. */
  cumulativeTokens(which: 'prompt' | 'completion'): string {
    if (!this.#joins.has('cumulative')) {
      const chosen = `${inScope('row_id')} AND project_id = ${SCOPE.projectId}`;
      this.#joins.set('cumulative', `LEFT JOIN ${cumulativeTokens(chosen)} ON cumulative_row = row_id`);
    }
    return `coalesce(cumulative_${which}, 0)`;
  }
}

const inScope = (column: string): string => `${column} BETWEEN ${SCOPE.first} AND ${SCOPE.last}`;

export const annotationColumns = (prefix: string) => ({
  row: `${prefix}_row`,
  score: `${prefix}_score`,
  label: `${prefix}_label`,
  explanation: `${prefix}_explanation`,
});

/** The text of a stored 64-bit ID. */
export const hexText = (column: string): string => `lpad(lower(to_hex(${column})), 16, '0')`;
