import { setMaxListeners } from 'node:events';
import type { Domain } from '../../domain/domain.ts';
import type { StorageLock } from '../../server/guards/storage-guard.ts';
import { boundedReader } from './execution/bounded-reader.ts';
import type { Budget, RequestWork } from './execution/request-work.ts';
import { createLoaders, type Loaders } from './loaders.ts';

/** State that the resolvers of one request share. */
export interface GraphqlContext {
  readonly domain: Domain;
  /** Loaders with the rows that were read so far. */
  loaders: Loaders;
  readonly work: RequestWork;
  /** Budget for the objects in the lists of the response. */
  readonly items: Budget;
  readonly storageLock: StorageLock;
  readonly storage: StorageFacts;
  readonly isReadOnly: boolean;
  /** Fires when the request ends before the response is complete. Same as `work.signal`. */
  readonly signal: AbortSignal;
  /** Ends the session of the browser with the response: its cookies are removed. */
  signOut(): void;
  /** Discards the rows that were read, so that fields after a change read them again. */
  invalidateReads(): void;
}

/** Sizes of the data on disk. */
export interface StorageFacts {
  /** Undefined when no capacity is configured. */
  readonly capacityBytes: number | undefined;
  spanStoreBytes(): Promise<number>;
  /** Includes the span store. */
  tableSizes(): Promise<{ readonly tableName: string; readonly numBytes: number }[]>;
}

export function createContext(
  options: Pick<GraphqlContext, 'domain' | 'isReadOnly' | 'storageLock' | 'storage' | 'work' | 'signOut'>,
): GraphqlContext {
  const { work } = options;
  const { signal, items } = work;
  // Every read listens to it.
  setMaxListeners(0, signal);
  const domain = boundReads(options.domain, signal);
  const newLoaders = () => createLoaders(domain, { readClass: 'interface', signal }, work);
  const context: GraphqlContext = {
    ...options,
    domain,
    signal,
    items,
    loaders: newLoaders(),
    invalidateReads() {
      context.loaders = newLoaders();
    },
  };
  return context;
}

/** Nouns whose operations all return promises. */
const BOUNDED = new Set<string | symbol>([
  'spans',
  'projects',
  'datasets',
  'datasetSources',
  'experiments',
  'evaluators',
  'onlineEvaluators',
  'prompts',
  'traces',
  'annotations',
  'annotationConfigs',
  'models',
  'providers',
  'retention',
  'secrets',
  'savedViews',
  'samples',
  'dashboards',
  'calibrations',
] satisfies readonly (keyof Domain)[]);

/** Wraps the domain for one request: few of its reads run at a time, and none starts after the request has ended. */
function boundReads(domain: Domain, signal: AbortSignal): Domain {
  const bounded = new Map<string | symbol, object>();
  return new Proxy(domain, {
    get(target, name) {
      const operations: unknown = Reflect.get(target, name);
      if (!BOUNDED.has(name)) return operations;
      const known = bounded.get(name) ?? boundedReader(operations as object, signal);
      bounded.set(name, known);
      return known;
    },
  });
}
