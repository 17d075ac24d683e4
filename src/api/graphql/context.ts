import { setMaxListeners } from 'node:events';
import { SpandrelError } from '../../model/errors.ts';
import { GRAPHQL_ITEM_COUNT_MAX } from '../../model/limits.ts';
import type { Domain } from '../../domain/domain.ts';
import { fairReader } from './fair-reader.ts';
import { createLoaders, type Loaders } from './loaders.ts';

/** What the resolvers of one request share. */
export interface GraphqlContext {
  readonly domain: Domain;
  /** What was read so far. */
  loaders: Loaders;
  readonly items: ItemBudget;
  /** Why nothing may grow at present. */
  readonly storageLock: () => string | undefined;
  readonly storage: StorageFacts;
  readonly isReadOnly: boolean;
  /** Fires when the caller is gone. */
  readonly signal: AbortSignal;
  /** After a change: what is asked for from now on is read again. */
  forgetReads(): void;
}

/** What the data takes on disk. */
export interface StorageFacts {
  /** Undefined when none is set. */
  readonly capacityBytes: number | undefined;
  spanStoreBytes(): Promise<number>;
  /** The span store among them. */
  tableSizes(): Promise<{ readonly tableName: string; readonly numBytes: number }[]>;
}

export function createContext(
  options: Pick<GraphqlContext, 'domain' | 'isReadOnly' | 'storageLock' | 'storage' | 'signal'>,
): GraphqlContext {
  const { signal } = options;
  // Every read listens to it.
  setMaxListeners(0, signal);
  const domain = { ...options.domain, spans: fairReader(options.domain.spans) };
  const newLoaders = () => createLoaders(domain, { readClass: 'interface', signal });
  const context: GraphqlContext = {
    ...options,
    domain,
    loaders: newLoaders(),
    items: new ItemBudget(),
    forgetReads() {
      context.loaders = newLoaders();
    },
  };
  return context;
}

/** Counts the objects in the lists of an answer. */
export class ItemBudget {
  #left = GRAPHQL_ITEM_COUNT_MAX;

  /** @throws {SpandrelError} `QUERY_INVALID` when there are too many */
  take(count: number): void {
    this.#left -= count;
    if (this.#left >= 0) return;
    throw new SpandrelError(
      'QUERY_INVALID',
      `Query is too costly: its lists hold more than ${GRAPHQL_ITEM_COUNT_MAX} objects; ask for fewer at a time`,
    );
  }
}
