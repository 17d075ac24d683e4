import { InputError } from '../errors.ts';
import type { EvalRecord } from '../evaluators/input-mapping.ts';
import { ownValue } from '../own-value.ts';
import { type LabelledRow, readLabels } from './labelled-rows.ts';
import type { SplitShares } from './split.ts';

/** The part of a client of `@spandrel/client` that is used: it sends a request and throws for error statuses. */
export interface ServerClient {
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

export interface ServerLabelsOptions {
  readonly client: ServerClient;
  /** Name or ID. */
  readonly project: string;
  readonly annotationName: string;
  /** Spans that are looked through, the newest first. 5,000 by default. */
  readonly limit?: number;
  readonly shares?: SplitShares;
}

const PAGE_ROWS = 100;
const PAGES_MAX = 100_000;

interface Page {
  readonly data: readonly Record<string, unknown>[];
  readonly next_cursor: string | null;
}

/**
 * Spans of a project that people have annotated. A row has `spanId`, `traceId`, `input`, `output`, `attributes` and `metadata`:
 * map the fields of the evaluator to them with an input mapping. Annotations of judges and code do not count.
 *
 * @throws {InputError} when people have annotated none of them
 */
export async function labelsFromServer({
  client,
  project,
  annotationName,
  limit = 5_000,
  shares,
}: ServerLabelsOptions): Promise<LabelledRow[]> {
  const base = `/v1/projects/${encodeURIComponent(project)}`;
  const spans = await readPages(client, `${base}/spans`, new URLSearchParams(), limit);
  const labels = new Map<string, Record<string, string>>();
  for (let start = 0; start < spans.length; start += PAGE_ROWS) {
    const query = new URLSearchParams({ include_annotation_names: annotationName });
    for (const span of spans.slice(start, start + PAGE_ROWS)) query.append('span_ids', spanIdOf(span));
    const annotations = await readPages(client, `${base}/span_annotations`, query, Number.POSITIVE_INFINITY);
    for (const annotation of annotations) {
      const label = ownValue(annotation.result, 'label');
      if (annotation.annotator_kind !== 'HUMAN' || typeof label !== 'string' || label === '') continue;
      const spanId = String(annotation.span_id);
      // Without sign-in nobody has an id; then the identifier of the annotation tells people apart.
      const person = String(annotation.user_id || annotation.identifier || '');
      labels.set(spanId, { ...labels.get(spanId), ...Object.fromEntries([[person, label]]) });
    }
  }
  const rows = spans.flatMap((span) => {
    const given = labels.get(spanIdOf(span));
    return given ? [{ ...rowOf(span), humanLabel: given }] : [];
  });
  if (rows.length === 0) {
    throw new InputError(
      `No person has given a label ${annotationName} to the ${spans.length} newest spans of ${project}. Annotate some spans first, or raise limit.`,
    );
  }
  return readLabels(rows, { keyField: 'spanId', ...(shares && { shares }) });
}

async function readPages(client: ServerClient, path: string, query: URLSearchParams, countMax: number) {
  const rows: Record<string, unknown>[] = [];
  query.set('limit', String(PAGE_ROWS));
  for (let page = 0; page < PAGES_MAX && rows.length < countMax; page++) {
    const response = await client.fetch(`${path}?${query}`);
    const { data, next_cursor: next } = (await response.json()) as Page;
    rows.push(...data);
    // The same cursor again would be the same page again.
    if (!next || next === query.get('cursor')) break;
    query.set('cursor', next);
  }
  return rows.slice(0, countMax);
}

const spanIdOf = (span: Record<string, unknown>): string => String(ownValue(span.context, 'span_id'));

function rowOf(span: Record<string, unknown>): EvalRecord {
  const { attributes } = span;
  return {
    spanId: spanIdOf(span),
    traceId: String(ownValue(span.context, 'trace_id')),
    input: attributeOf(attributes, 'input.value'),
    output: attributeOf(attributes, 'output.value'),
    metadata: attributeOf(attributes, 'metadata'),
    attributes,
  };
}

/** Attributes are flat or nested, as the server and its version give them. */
function attributeOf(attributes: unknown, path: string): unknown {
  return ownValue(attributes, path) ?? path.split('.').reduce<unknown>(ownValue, attributes);
}
