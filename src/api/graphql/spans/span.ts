import { toExactJsonText } from '../../../base/exact-json.ts';
import { documentsGist, lastGist } from '../../../semconv/read-open-inference.ts';
import { GRAPHQL_TRUNCATED_CHARS_MAX } from '../../../model/limits/graphql.ts';
import { PREVIEW_CHARS_MAX } from '../../../model/limits/spans.ts';
import type { SpanBody, SpanRow, TextHead } from '../../../model/spans/span.ts';
import type { SpanSums } from '../../../model/traces/span-sums.ts';
import { annotationsOfSpan } from '../annotations/annotation-lists.ts';
import type { PageArguments } from '../arguments.ts';
import { offsetConnection } from '../connections.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import type { Loaders } from '../loaders.ts';
import { spanCostResolvers } from '../models/cost.ts';
import {
  fromRow,
  id,
  missing,
  type NodeRef,
  projectRef,
  type Resolver,
  type Resolvers,
  spanRef,
  traceRef,
} from '../resolvers.ts';
import { latencyMs } from '../traces/latency.ts';
import { attributeAt, attributesText, textOrJson, toInt } from './span-attributes.ts';
import { toKindName } from './span-kind.ts';

type SpanRef = NodeRef<'Span'>;

const row = fromRow(({ spans }) => spans);
const body = fromRow(({ spanBodies }) => spanBodies);

export const spanResolvers: Resolvers = {
  id,
  ...annotationsOfSpan,
  ...spanCostResolvers,
  name: row(({ name }) => name),
  statusCode: row(({ statusCode }) => statusCode),
  statusMessage: row(({ statusMessage }) => statusMessage),
  startTime: row(({ startTimeUnixNano }) => startTimeUnixNano),
  endTime: row(({ endTimeUnixNano }) => endTimeUnixNano),
  latencyMs: row(latencyMs),
  parentId: row(({ parentSpanId }) => parentSpanId),
  spanKind: row(({ spanKind }) => toKindName(spanKind)),
  spanId: row(({ spanId }) => spanId),
  context: row(({ traceId, spanId }) => ({ traceId, spanId })),
  trace: row(({ traceRowId }) => traceRef(traceRowId)),
  project: row(({ projectId }) => projectRef(projectId)),
  attributes: body(attributesText),
  attribute: (node: SpanRef, { path }: { readonly path: string }, context) =>
    whenKnown(context.loaders.spanBodies.load(node.rowId), (found) => {
      const value = attributeAt(found ?? missing(node), ...path.split('.'));
      return value === undefined ? null : toExactJsonText(value);
    }),
  metadata: body((found) => textOrJson(attributeAt(found, 'metadata'))),
  userId: body((found) => textOrJson(attributeAt(found, 'user', 'id'))),
  numDocuments: body((found) => {
    const documents = attributeAt(found, 'retrieval', 'documents');
    return Array.isArray(documents) ? documents.length : null;
  }),
  tokenCountTotal: row(({ tokensPrompt, tokensCompletion }) =>
    tokensPrompt === null && tokensCompletion === null ? null : (tokensPrompt ?? 0) + (tokensCompletion ?? 0),
  ),
  tokenCountPrompt: row(({ tokensPrompt }) => tokensPrompt),
  tokenCountCompletion: row(({ tokensCompletion }) => tokensCompletion),
  tokenPromptDetails: body((found) => {
    const detail = (name: string) => toInt(attributeAt(found, 'llm', 'token_count', 'prompt_details', name));
    return { cacheRead: detail('cache_read'), cacheWrite: detail('cache_write'), audio: detail('audio') };
  }),
  input: row((span) => toIoValue(span, 'input')),
  output: row((span) => toIoValue(span, 'output')),
  inputPreview: row((span, { loaders }) => previewOf(span, 'input', loaders)),
  outputPreview: row((span, { loaders }) => previewOf(span, 'output', loaders)),
  events: body(toEvents),
  cumulativeTokenCountTotal: sum(
    ({ tokensPrompt, tokensCompletion }, index) => (tokensPrompt[index] ?? 0) + (tokensCompletion[index] ?? 0),
  ),
  cumulativeTokenCountPrompt: sum(({ tokensPrompt }, index) => tokensPrompt[index] ?? 0),
  cumulativeTokenCountCompletion: sum(({ tokensCompletion }, index) => tokensCompletion[index] ?? 0),
  propagatedStatusCode: sum(({ errorCounts }, index) => ((errorCounts[index] ?? 0) > 0 ? 'ERROR' : 'OK')),
  numChildSpans: sum(({ childCounts }, index) => childCounts[index] ?? 0),
  descendants: (node: SpanRef, args: PageArguments & { readonly maxDepth?: number | null }, { loaders, items, work }) =>
    whenKnown(loaders.spans.load(node.rowId), (span) =>
      whenKnown(loaders.trees.load((span ?? missing(node)).traceRowId), (tree = missing(node)) => {
        const found = tree.descendantsOf(tree.find(node.rowId) ?? missing(node), Math.max(0, args.maxDepth ?? 0));
        // Each page iterates over all descendants.
        work.cost.take(found.length);
        return offsetConnection(found, args, ({ rowId }) => spanRef(rowId), items);
      }),
    ),
};

/** Fields that need the other spans of the trace. */
function sum(compute: (sums: SpanSums, index: number) => unknown): Resolver<SpanRef> {
  return (node, _args, { loaders }) =>
    whenKnown(loaders.spans.load(node.rowId), (span) =>
      whenKnown(loaders.spanSums.load((span ?? missing(node)).traceRowId), ({ sums, indices } = missing(node)) =>
        compute(sums, indices.get(node.rowId) ?? missing(node)),
      ),
    );
}

export interface IoValue {
  readonly rowId: number;
  readonly side: 'input' | 'output';
  readonly text: TextHead;
}

/** The input or output of a span. */
export const toIoValue = (span: SpanRow, side: 'input' | 'output'): IoValue | null => {
  const text = span[side];
  return text === null || text.head === '' ? null : { rowId: span.rowId, side, text };
};

const MESSAGES = { input: ['input_messages', 'user'], output: ['output_messages', undefined] } as const;

/** Whether a preview of the span must be read from its attributes. */
export const isSilent = ({ input, output }: SpanRow): boolean => !input?.head || !output?.head;

/** Preview of a span's input or output for lists. It is derived in the same way as on the page of the span. */
export function previewOf(span: SpanRow, side: 'input' | 'output', loaders: Loaders): unknown {
  const head = span[side]?.head;
  if (head) return truncate(head);
  const [name, role] = MESSAGES[side];
  return whenKnown(loaders.spanBodies.load(span.rowId), (found) => {
    if (!found) return null;
    const messages = attributeAt(found, 'llm', name);
    const documents = side === 'output' ? attributeAt(found, 'retrieval', 'documents') : undefined;
    const gist =
      messages !== undefined
        ? lastGist(JSON.parse(toExactJsonText(messages)), role)
        : documents !== undefined
          ? documentsGist(JSON.parse(toExactJsonText(documents)))
          : undefined;
    return gist === undefined ? null : truncate(gist);
  });
}

export const ioValueResolvers: Resolvers = {
  mimeType: ({ text }: IoValue) => (text.mimeType === 'application/json' ? 'json' : 'text'),
  truncatedValue: ({ text }: IoValue) => truncate(text.head),
  // The preview of a short text contains all of it: lists of such texts read no remainders.
  value: ({ rowId, side, text }: IoValue, _args: unknown, { loaders }) =>
    text.head.length < PREVIEW_CHARS_MAX
      ? text.head
      : whenKnown(loaders.spanBodies.load(rowId), (found) => found?.[side] ?? text.head),
};

function truncate(text: string): string {
  if (text.length <= GRAPHQL_TRUNCATED_CHARS_MAX) return text;
  const characters = [...text];
  if (characters.length <= GRAPHQL_TRUNCATED_CHARS_MAX) return text;
  return `${characters.slice(0, GRAPHQL_TRUNCATED_CHARS_MAX).join('')}…`;
}

function toEvents({ events }: SpanBody): object[] {
  const list = events === null ? [] : (JSON.parse(events) as StoredEvent[]);
  return list.map(({ name, time_unix_nano, attributes = {} }) => {
    const message = attributes['exception.message'];
    return {
      name,
      message: typeof message === 'string' ? message : '',
      timestamp: BigInt(time_unix_nano),
      attributes,
    };
  });
}

/** Events in the form of `SpanColumns.events`. */
interface StoredEvent {
  readonly name: string;
  readonly time_unix_nano: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
}
