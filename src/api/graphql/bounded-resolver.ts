import {
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Connection } from './connections.ts';
import type { GraphqlContext } from './context.ts';
import { type FieldInfo, toFieldInfo } from './node-fields.ts';
import type { Resolver } from './resolvers.ts';

/** A list of objects that costs at most this much is made in one go, unless the slice is used up already. */
const SMALL_LIST_COST = 200;
/** Objects without resolvers take 0.1 to 0.3 µs a field, less than a promise: a list of more of them waits for its turn as a whole. */
const SMALL_PLAIN_LIST_COST = 10_000;
/** Numbers and texts of a list that are written in one go. */
const SMALL_COLUMN_COUNT = 5_000;
/** Texts up to this are bounded by the number of fields. */
const SHORT_TEXT_CHARS = 200;

/**
 * The resolver within the bounds of its request: it yields when the slice of this iteration of the event loop is used up,
 * counts what it makes, and does not start once the request has ended. Then its promise never resolves, and nobody waits.
 */
export function boundedResolver(field: GraphQLField<unknown, unknown>, resolve: Resolver): Resolver {
  const account = accountOf(field);
  const bounded: Resolver = (source, args, context, info) => {
    const { work } = context;
    let result: unknown;
    try {
      result = resolve(source, args, context, info);
      if (!(result instanceof Promise)) return account ? account(result, context, costOf(info)) : result;
    } catch (error) {
      work.fail(error);
      throw error;
    }
    return result.then(
      (value) => {
        if (work.signal.aborted) return NEVER();
        return account ? account(value, context, costOf(info)) : value;
      },
      (error) => {
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

// One promise for all would gather the reactions of every request.
const NEVER = () => new Promise<never>(() => {});

/** Operations that are interpreted bring nothing with them; they keep the list of a field's nodes. */
const INFOS = new WeakMap<object, FieldInfo>();

function costOf(info: Parameters<Resolver>[3]): number {
  if (!info || info.cost !== undefined) return info?.cost ?? 1;
  let known = INFOS.get(info.fieldNodes);
  if (!known) {
    known = toFieldInfo(info);
    INFOS.set(info.fieldNodes, known);
  }
  return known.cost ?? 1;
}

/** Counts a result, and makes long lists item by item; `cost`: fields of one item. */
type Account = (result: unknown, context: GraphqlContext, cost: number) => unknown;

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
  // Asked when a list is made: the type's own resolvers may be set later than this field's.
  const hasResolvers = () => !isObjectType(type) || Object.values(type.getFields()).some(({ resolve }) => resolve);
  let account: Account | undefined;
  return (result, context, cost) => {
    if (!Array.isArray(result)) return result;
    account ??= hasResolvers() ? itemByItem : asWhole;
    return account(result, context, cost);
  };
}

const asWhole: Account = (result, { work: { cost, slices, signal } }, itemCost) => {
  const listCost = (result as readonly unknown[]).length * itemCost;
  cost.take(listCost);
  return listCost <= SMALL_PLAIN_LIST_COST ? result : slices.wait(signal).then(() => result);
};

const connection: Account = (result, context, cost) => {
  if (typeof result !== 'object' || result === null) return result;
  const { pageInfo, edges } = result as Connection<unknown>;
  return { ...result, pageInfo, edges: itemByItem(edges, context, cost) };
};

const itemByItem: Account = (result, { work: { cost, slices, signal } }, itemCost) => {
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
