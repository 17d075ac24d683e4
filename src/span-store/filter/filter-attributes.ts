import { SPAN_KINDS } from '../../semconv/span-kinds.ts';
import { PREVIEW_CHARS_MAX } from '../../model/limits/spans.ts';
import { TEXT_ATTRIBUTES } from '../../columns/text-attributes.ts';
import type { AttributePath } from '../../filter/spans/span-filter.ts';
import { type LongTextSource, sourceBit } from '../duckdb/long-texts.ts';
import type { Parameters } from '../duckdb/sql.ts';
import type { FilterRelations } from './filter-relations.ts';
import { keyNeedle } from './key-needle.ts';

/** Attributes that are stored only in a column when they are text. */
const TEXT_COLUMNS: ReadonlyMap<string, string> = new Map<string, string>([
  ...TEXT_ATTRIBUTES.map(({ key, column }) => [key, column] as const),
  ['openinference.span.kind', 'span_kind'],
]);

/**
 * Attributes as a filter sees them. The decoder stored each of them in its own column, in `metadata`, among the small
 * leaves or among the long ones. The text of a list or object with leaves of both sizes is the small part followed by
 * the long part, so a search misses only a text that spans both parts.
 */
export class FilterAttributes {
  readonly #relations: FilterRelations;
  readonly #parameters: Parameters;

  constructor(relations: FilterRelations, parameters: Parameters) {
    this.#relations = relations;
    this.#parameters = parameters;
  }

  /** NULL if the attribute is missing; a text unchanged, any other value as JSON. */
  text(path: AttributePath): string {
    const promoted = this.#promoted(path, (body) => this.#bodyText(body));
    if (promoted) return promoted;
    const small = this.#inJson('attributes', path);
    const long = this.#inJson(this.#longAttributes(), path);
    const leaf = `coalesce(${small} || ${long}, ${small}, ${long})`;
    return this.#withColumnsBelow(path, leaf);
  }

  /** Like `text`, but NULL for texts that are longer than a small leaf. Such a text is never a number or a boolean. */
  shortText(path: AttributePath): string {
    const promoted = this.#promoted(
      path,
      (body) =>
        `CASE WHEN ${body}_rest IS NULL AND long_texts & ${sourceBit(`${body}_rest`)} = 0 THEN ${body}_head END`,
    );
    return promoted ?? this.#inJson('attributes', path);
  }

  /** Never NULL. */
  isPresent(path: AttributePath): string {
    const key = keyOf(path);
    const promoted = this.#promoted(path, (body) => `${body}_head`);
    if (promoted) return `(${promoted} IS NOT NULL)`;
    const columns = key === undefined ? [] : columnsBelow(key);
    const isIn = [
      ...columns.map(({ sql }) => `${sql} IS NOT NULL`),
      `${this.#inJson('attributes', path)} IS NOT NULL`,
      `${this.#inJson(this.#longAttributes(), path)} IS NOT NULL`,
    ];
    return `(${isIn.join(' OR ')})`;
  }

  /** See `FilterValues.textEqualsLiterals`. */
  equalsLiterals(path: AttributePath, literals: readonly string[], isSmall: boolean): string | undefined {
    const parameters = this.#parameters;
    const key = keyOf(path);
    const column = key === undefined ? undefined : TEXT_COLUMNS.get(key);
    if (column === 'span_kind') return undefined;
    if (column !== undefined) {
      // Values that are not text are among the leaves, and do not equal any of these.
      if (isSmall && !literals.some(isJsonOfNoText)) return `(${parameters.textIn(column, literals)})`;
      return undefined;
    }
    const body = bodyOf(key);
    if (body) {
      if (!isSmall || literals.some(isJsonOfNoText)) return undefined;
      if (literals.some((literal) => [...literal].length >= PREVIEW_CHARS_MAX)) return undefined;
      return `(${parameters.textIn(`${body}_head`, literals)} AND ${body}_rest IS NULL
        AND long_texts & ${sourceBit(`${body}_rest`)} = 0)`;
    }
    if (!isSmall || (key !== undefined && columnsBelow(key).length > 0) || isMetadata(path)) return undefined;
    return `(${parameters.textIn(this.#inJson('attributes', path), literals)})`;
  }

  /** An attribute that may have its own column. */
  #promoted(path: AttributePath, ofBody: (body: 'input' | 'output') => string): string | undefined {
    if (isMetadata(path) && typeof path[1] !== 'number') {
      if (path.length > 1) return this.#inJson('metadata', path.slice(1));
      const small = this.#inJson('attributes', path);
      return `coalesce(metadata, ${small}, ${this.#inJson(this.#longAttributes(), path)})`;
    }
    const key = keyOf(path);
    if (key === undefined) return undefined;
    const body = bodyOf(key);
    const column = TEXT_COLUMNS.get(key);
    if (!body && column === undefined) return undefined;
    const leaf = this.#inJson('attributes', path);
    if (body) return `coalesce(${ofBody(body)}, ${leaf})`;
    // A kind in another spelling is among the leaves, and takes precedence.
    return column === 'span_kind' ? `coalesce(${leaf}, ${KIND_TEXT})` : `coalesce(${column}, ${leaf})`;
  }

  #bodyText(body: 'input' | 'output'): string {
    const source = `${body}_rest` as const;
    return `(${body}_head || CASE WHEN long_texts & ${sourceBit(source)} <> 0
      THEN ${this.#relations.longText(source)} ELSE coalesce(${source}, '') END)`;
  }

  /** Merges the attributes of an object that have their own columns into the object. */
  #withColumnsBelow(path: AttributePath, leaf: string): string {
    const key = keyOf(path);
    const columns = key === undefined ? [] : columnsBelow(key);
    if (columns.length === 0) return leaf;
    const values = columns.map(({ keys, sql }) => {
      const body = sql === 'input_head' ? 'input' : sql === 'output_head' ? 'output' : undefined;
      return nested(keys, body ? this.#bodyText(body) : sql);
    });
    const isAny = columns.map(({ sql }) => `${sql} IS NOT NULL`).join(' OR ');
    const parts = [
      `coalesce(${this.#inJson('attributes', path, 'json_extract')}, '{}'::JSON)`,
      `coalesce(${this.#inJson(this.#longAttributes(), path, 'json_extract')}, '{}'::JSON)`,
      ...values,
    ];
    return `(CASE WHEN ${isAny} THEN CAST(json_merge_patch(${parts.join(', ')}) AS VARCHAR)
      ELSE ${leaf} END)`;
  }

  #longAttributes(): string {
    return `coalesce(long_attributes, ${this.#relations.longText('long_attributes' satisfies LongTextSource)})`;
  }

  /**
   * The value at a path of a JSON text. Keys are bound values and are literal: quoted, and as steps of JSON Pointer
   * where DuckDB's paths do not accept them (`*` is a wildcard even in quotes, an empty key is an error).
   */
  #inJson(
    json: string,
    path: AttributePath,
    extract: 'json_extract' | 'json_extract_string' = 'json_extract_string',
  ): string {
    if (path.some((step) => typeof step === 'number' && !(step >= 0 && step < 2 ** 31))) return 'NULL::VARCHAR';
    let value = json;
    let steps = '';
    const take = () => {
      if (steps !== '') value = `TRY(json_extract(${value}, ${this.#parameters.text(`$${steps}`)}))`;
      steps = '';
    };
    for (const step of path) {
      if (typeof step === 'number') steps += `[${step}]`;
      else if (step !== '' && !step.includes('*')) steps += `."${step.replace(/[\\"]/g, '\\$&')}"`;
      else {
        take();
        const pointer = `/${step.replace(/~/g, '~0').replace(/\//g, '~1')}`;
        value = `TRY(json_extract(${value}, ${this.#parameters.text(pointer)}))`;
      }
    }
    const rest = steps === '' ? '$' : `$${steps}`;
    const found = `TRY(${extract}(${value}, ${this.#parameters.text(rest)}))`;
    const key = path.findLast((step) => typeof step === 'string');
    const needle = key === undefined ? undefined : keyNeedle(key);
    if (needle === undefined) return found;
    return `(CASE WHEN contains(${json}, ${this.#parameters.text(needle)}) THEN ${found} END)`;
  }
}

const isMetadata = (path: AttributePath): boolean => path[0] === 'metadata';

/** Dotted if every step is a plain key: a key that contains a dot is not a path. */
const keyOf = (path: AttributePath): string | undefined =>
  path.every((step) => typeof step === 'string' && !step.includes('.')) ? path.join('.') : undefined;

const bodyOf = (key: string | undefined): 'input' | 'output' | undefined =>
  key === 'input.value' ? 'input' : key === 'output.value' ? 'output' : undefined;

const KIND_TEXT = `CASE span_kind ${SPAN_KINDS.slice(1)
  .map((kind, index) => `WHEN ${index + 1} THEN '${kind}'`)
  .join(' ')} END`;

const COLUMNS: readonly (readonly [key: string, sql: string])[] = [
  ...[...TEXT_COLUMNS].map(([key, column]) => [key, column === 'span_kind' ? KIND_TEXT : column] as const),
  ['input.value', 'input_head'],
  ['output.value', 'output_head'],
];

/** Columns of attributes inside an object, and their keys in it. */
const columnsBelow = (key: string): { readonly keys: readonly string[]; readonly sql: string }[] =>
  COLUMNS.flatMap(([columnKey, sql]) =>
    columnKey.startsWith(`${key}.`) ? { keys: columnKey.slice(key.length + 1).split('.'), sql } : [],
  );

/** The keys are constants. */
const nested = (keys: readonly string[], value: string): string =>
  keys.reduceRight((inner, key) => `json_object('${key}', ${inner})`, value);

/** Whether a text could be the JSON of another value than a text. */
const isJsonOfNoText = (text: string): boolean => /^(?:[-\d[{]|true$|false$)/.test(text);
