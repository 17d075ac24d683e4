import { GRAPHQL_READ_COUNT_MAX } from '../../../model/limits/graphql.ts';

/**
 * Wraps a store for one request. Few of its calls run at a time, so that a list of a thousand projects, each with a
 * page of spans, does not make other requests wait behind a thousand reads. After the signal fires, calls that have not
 * started throw its reason.
 *
 * @param store All of its methods return promises.
 */
export function boundedReader<Store extends object>(store: Store, signal: AbortSignal): Store {
  let running = 0;
  const waiting: (() => void)[] = [];
  const call = async (start: () => Promise<unknown>) => {
    if (running < GRAPHQL_READ_COUNT_MAX) running++;
    // A call that ends lets the next one start.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      signal.throwIfAborted();
      return await start();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
  return new Proxy(store, {
    get: (target, name) => {
      const method = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
      return (...args: unknown[]) => call(() => method.apply(target, args));
    },
  });
}
