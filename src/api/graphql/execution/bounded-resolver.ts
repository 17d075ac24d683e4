import {
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { GRAPHQL_READ_COST } from '../../../model/limits/graphql.ts';
import { withGlobalIds } from '../../contract/error-texts.ts';
import type { Connection } from '../connections.ts';
import type { GraphqlContext } from '../context.ts';
import { type FieldInfo, toFieldInfo } from '../node-fields.ts';
import type { Resolver } from '../resolvers.ts';
import { asksStore } from './operation-cost.ts';

/** A list of objects up to this cost is built without yielding, unless the slice is used up already. */
const SMALL_LIST_COST = 200;
/**
 * Objects without resolvers take 0.1 to 0.3 µs per field, less than a promise. A list above this cost yields once as a
 * whole.
 */
const SMALL_PLAIN_LIST_COST = 10_000;
/** Maximum number of scalars of a list that are written without yielding. */
const SMALL_COLUMN_COUNT = 5_000;
/** Texts up to this length are not counted, because the number of fields limits them. */
const SHORT_TEXT_CHARS = 200;

/**
 * Wraps a resolver to enforce the limits of its request. It yields when the time slice of this event loop iteration is
 * used up, counts its reads and results, and does not start after the request has ended. Its promise then never resolves, because
 * no code waits for it.
 */
export function boundedResolver(field: GraphQLField<unknown, unknown>, resolve: Resolver): Resolver {
  const account = accountOf(field);
  const reads = asksStore(field);
  const isPage = account === connection;
  const bounded: Resolver = (source, args, context, info) => {
    const { work } = context;
    let result: unknown;
    try {
      if (reads) {
        work.cost.take(GRAPHQL_READ_COST);
        if (isPage) work.pages.begin(infoOf(info).nodeFields);
      }
      result = resolve(source, args, context, info);
      if (!(result instanceof Promise)) return account ? account(result, context, infoOf(info)) : result;
    } catch (thrown) {
      const error = withGlobalIds(thrown);
      work.fail(error);
      throw error;
    }
    return result.then(
      (value) => {
        if (work.signal.aborted) return NEVER();
        return account ? account(value, context, infoOf(info)) : value;
      },
      (thrown) => {
        const error = withGlobalIds(thrown);
        work.fail(error);
        throw error;
      },
    );
  };
  return (source, args, context, info) => {
    const { signal, slices } = context.work;
    if (signal.aborted) return NEVER();
    if (!slices.isOver()) return bounded(source, args, context, info);
    return slices.wait(signal).then(() => (signal.aborted ? NEVER() : bounded(source, args, context, info)));
  };
}

// A shared promise would accumulate the reactions of every request.
const NEVER = () => new Promise<never>(() => {});

/** Cache for interpreted operations, which carry no field info but keep the node list of each field. */
const INFOS = new WeakMap<object, FieldInfo>();

function infoOf(info: Parameters<Resolver>[3]): FieldInfo {
  if (!info || info.cost !== undefined) return info ?? {};
  let known = INFOS.get(info.fieldNodes);
  if (!known) {
    known = toFieldInfo(info);
    INFOS.set(info.fieldNodes, known);
  }
  return known;
}

/** Counts a result and builds long lists item by item. */
type Account = (result: unknown, context: GraphqlContext, info: FieldInfo) => unknown;

function accountOf({ type }: GraphQLField<unknown, unknown>): Account | undefined {
  const nullable = isNonNullType(type) ? type.ofType : type;
  const named = getNamedType(type);
  if (isListType(nullable)) return isLeafType(named) ? column : objects(named);
  if (isObjectType(named) && named.name.endsWith('Connection')) return connection;
  if (isLeafType(named) && TEXT_TYPES.has(named.name)) return text;
  return undefined;
}

const TEXT_TYPES: ReadonlySet<string> = new Set(['String', 'JSON']);

function objects(type: GraphQLNamedType): Account {
  // Evaluated when a list is built, because the resolvers of the type may be set later than this field's.
  const hasResolvers = () => !isObjectType(type) || Object.values(type.getFields()).some(({ resolve }) => resolve);
  let account: Account | undefined;
  return (result, context, info) => {
    if (!Array.isArray(result)) return result;
    account ??= hasResolvers() ? itemByItem : asWhole;
    return account(result, context, info);
  };
}

const asWhole: Account = (result, { work: { cost, slices, signal } }, { cost: itemCost = 1 }) => {
  const listCost = (result as readonly unknown[]).length * itemCost;
  cost.take(listCost);
  return listCost <= SMALL_PLAIN_LIST_COST ? result : slices.wait(signal).then(() => result);
};

const connection: Account = (result, context, info) => {
  if (typeof result !== 'object' || result === null) return result;
  const { pageInfo, edges } = result as Connection<unknown>;
  context.work.pages.end(info.nodeFields, edges.length * (info.cost ?? 1));
  return { ...result, pageInfo, edges: itemByItem(edges, context, info) };
};

const itemByItem: Account = (result, { work: { cost, slices, signal } }, { cost: itemCost = 1 }) => {
  const items = result as readonly unknown[];
  const listCost = items.length * itemCost;
  cost.take(listCost);
  return listCost <= SMALL_LIST_COST && !slices.isOver() ? items : slices.release(items, signal);
};

const column: Account = (result, { work: { slices, signal } }) =>
  Array.isArray(result) && result.length > SMALL_COLUMN_COUNT ? slices.wait(signal).then(() => result) : result;

const text: Account = (result, { work }) => {
  if (typeof result === 'string' && result.length > SHORT_TEXT_CHARS) work.chars.take(result.length);
  return result;
};
