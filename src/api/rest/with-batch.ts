import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Static, type TObject, Type } from '@sinclair/typebox';
import { type ExactJson, JsonSyntaxError } from '../../base/exact-json.ts';
import { expectPresent } from '../../base/expect-present.ts';
import { SpandrelError } from '../../model/errors.ts';
import { RUN_LIST_COUNT_MAX, RUN_LIST_ISSUE_COUNT_MAX } from '../../model/limits/datasets.ts';
import { BULK_JSON_BODY_BYTES_MAX } from '../../model/limits/requests.ts';
import type { Domain } from '../../domain/domain.ts';
import { errorResponse } from '../../server/error-response.ts';
import { type HttpRequest, type HttpResponse, jsonTextResponse } from '../../server/route.ts';
import { withGlobalIds } from '../contract/error-texts.ts';
import { compileCheck } from './check.ts';
import type { RestRoute } from './define-route.ts';
import { toIssueListText } from './issue-list.ts';
import { readBody } from './read-request.ts';
import { AnyJson } from './schema.ts';
import type { ValidationIssue } from './validation.ts';

/** What became of an item: its row id, or the expected error that rejected it. */
export type ItemOutcome = number | SpandrelError;

export interface BatchOptions<Item extends TObject, Prepared> {
  /** Schema of an item, which is the body of a request with one. */
  readonly item: Item;
  /** @throws {SpandrelError} which rejects this item only */
  prepare(item: Static<Item>): Prepared;
  /**
   * Writes the items that were prepared. Outcomes are in their order.
   *
   * @throws {SpandrelError} which rejects the request
   */
  write(
    domain: Domain,
    params: Readonly<Record<string, string>>,
    items: readonly Prepared[],
  ): Promise<readonly ItemOutcome[]>;
  toId(rowId: number): string;
}

const ItemResultJson = Type.Object(
  {
    status: Type.Integer({ description: 'Status that a request with this item alone would get.' }),
    data: Type.Optional(Type.Object({ id: Type.String({ description: 'Global ID.' }) })),
    code: Type.Optional(Type.String({ description: 'Code of the error.' })),
    detail: Type.Optional(AnyJson({ description: 'Text of the error, or the list of issues of the item.' })),
  },
  { $id: 'ItemResult' },
);

/**
 * A route that also takes a JSON array of its bodies. The body of public clients is an object, so no request of theirs means
 * this. Each item is checked and written by itself, and the response has the status of each in order.
 */
export function withBatch<Item extends TObject, Prepared>(
  single: RestRoute,
  options: BatchOptions<Item, Prepared>,
): RestRoute {
  const check = compileCheck(options.item);
  const { success, description, errors, body } = single.described;
  return {
    ...single,
    bodyBytesMax: BULK_JSON_BODY_BYTES_MAX,
    described: {
      ...single.described,
      description: `${description ? `${description} ` : ''}A JSON array of up to ${RUN_LIST_COUNT_MAX} such bodies is a batch: the response is 200, and \`data\` has the status of each item in order. An item that is rejected does not stop the others.`,
      body: Type.Union([expectPresent(body, 'the route has a body'), Type.Array(options.item)]),
      success: {
        ...success,
        schema: Type.Union([
          expectPresent(success.schema, 'the route has a schema'),
          Type.Object({ data: Type.Array(ItemResultJson) }),
        ]),
      },
      errors: { ...errors, 413: 'The batch has too many items' },
    },
    async handle(request, domain) {
      const list = startsAsList(request.body) ? await readList(request) : undefined;
      if (list === undefined) return single.handle(request, domain);
      if (list.length > RUN_LIST_COUNT_MAX) {
        throw new SpandrelError(
          'BODY_TOO_LARGE',
          `A batch has at most ${RUN_LIST_COUNT_MAX} items; this one has ${list.length}`,
        );
      }
      return writeBatch(list, check, { request, domain, options });
    },
  };
}

/** Whether the first sign of a JSON text in UTF-8 or UTF-16 is a bracket. */
function startsAsList(bytes: Uint8Array): boolean {
  const skipped = new Set([0x00, 0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf, 0xfe, 0xff]);
  for (const byte of bytes) if (!skipped.has(byte)) return byte === 0x5b;
  return false;
}

/** Undefined for a body that the route with one item rejects. */
async function readList(request: HttpRequest): Promise<readonly ExactJson[] | undefined> {
  try {
    const body = await readBody(request);
    return body.kind === 'json' && Array.isArray(body.value) ? body.value : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** Items that are checked without yielding to the event loop. */
const TURN_ITEM_COUNT = 50;

async function writeBatch<Item extends TObject, Prepared>(
  list: readonly ExactJson[],
  check: ReturnType<typeof compileCheck>,
  {
    request,
    domain,
    options,
  }: { readonly request: HttpRequest; readonly domain: Domain; readonly options: BatchOptions<Item, Prepared> },
): Promise<HttpResponse> {
  const results: string[] = [];
  const prepared: { readonly index: number; readonly item: Prepared }[] = [];
  let issueCount = 0;
  for (const [index, value] of list.entries()) {
    if (index % TURN_ITEM_COUNT === TURN_ITEM_COUNT - 1) await yieldToEventLoop();
    const issues: ValidationIssue[] = [];
    const item = check(value, { issues, loc: ['body', index] });
    if (issues.length > 0) {
      issueCount += issues.length;
      results[index] = toIssuesText(issueCount > RUN_LIST_ISSUE_COUNT_MAX ? issues.slice(0, 1) : issues);
      continue;
    }
    try {
      // The check returns values of the type that the schema describes, as in `defineRoute`.
      prepared.push({ index, item: options.prepare(item as Static<Item>) });
    } catch (error) {
      results[index] = toErrorText(error);
    }
  }
  const items = prepared.map(({ item }) => item);
  const outcomes = items.length > 0 ? await write(request, domain, items, options) : [];
  for (const [position, { index }] of prepared.entries()) {
    const outcome = expectPresent(outcomes[position], 'each item has an outcome');
    results[index] =
      typeof outcome === 'number' ? `{"status":200,"data":{"id":"${options.toId(outcome)}"}}` : toErrorText(outcome);
  }
  return jsonTextResponse(200, `{"data":[${results.join(',')}]}`);
}

async function write<Item extends TObject, Prepared>(
  { params }: HttpRequest,
  domain: Domain,
  items: readonly Prepared[],
  options: BatchOptions<Item, Prepared>,
): Promise<readonly ItemOutcome[]> {
  try {
    return await options.write(domain, params, items);
  } catch (error) {
    throw withGlobalIds(error);
  }
}

const toIssuesText = (issues: readonly ValidationIssue[]): string =>
  `{"status":422,"code":"REQUEST_INVALID","detail":${toIssueListText(issues)}}`;

/** An unexpected error is thrown on. */
function toErrorText(error: unknown): string {
  const told = withGlobalIds(error);
  const response = errorResponse(told);
  if (!(told instanceof SpandrelError) || response === undefined) throw error;
  return JSON.stringify({ status: response.status, code: told.code, detail: told.message });
}
