import { setMaxListeners } from 'node:events';
import type { Domain } from '../../domain/domain.ts';
import { boundedReader } from './execution/bounded-reader.ts';
import type { Budget, RequestWork } from './execution/request-work.ts';
import { createLoaders, type Loaders } from './loaders.ts';

/** What the resolvers of one request share. */
export interface GraphqlContext {
  readonly domain: Domain;
  /** What was read so far. */
  loaders: Loaders;
  readonly work: RequestWork;
  /** Budget for the objects in the lists of the response. */
  readonly items: Budget;
  /** Why nothing may grow at present. */
  readonly storageLock: () => string | undefined;
  readonly storage: StorageFacts;
  readonly isReadOnly: boolean;
  /** Fires when the request ends before the response is complete. Same as `work.signal`. */
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
  options: Pick<GraphqlContext, 'domain' | 'isReadOnly' | 'storageLock' | 'storage' | 'work'>,
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
    forgetReads() {
      context.loaders = newLoaders();
    },
  };
  return context;
}

/** Wraps the domain for one request: few of its reads run at a time, and none starts after the request has ended. */
function boundReads(domain: Domain, signal: AbortSignal): Domain {
  return {
    ...domain,
    spans: boundedReader(domain.spans, signal),
    projects: boundedReader(domain.projects, signal),
    datasets: boundedReader(domain.datasets, signal),
    experiments: boundedReader(domain.experiments, signal),
    evaluators: boundedReader(domain.evaluators, signal),
    prompts: boundedReader(domain.prompts, signal),
    traces: boundedReader(domain.traces, signal),
    annotations: boundedReader(domain.annotations, signal),
    annotationConfigs: boundedReader(domain.annotationConfigs, signal),
    models: boundedReader(domain.models, signal),
    providers: boundedReader(domain.providers, signal),
    retention: boundedReader(domain.retention, signal),
    savedViews: boundedReader(domain.savedViews, signal),
  };
}
