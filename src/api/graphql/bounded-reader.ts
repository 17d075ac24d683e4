import { GRAPHQL_READ_COUNT_MAX } from '../../model/limits.ts';

/**
 * A store for one request. Few of its calls run at a time: a list of a thousand projects, each with a page of spans, must
 * not keep everybody else waiting behind a thousand reads. Once the signal has fired, calls that have not started throw its
 * reason.
 *
 * @param store All of its methods return promises.
 */
export function boundedReader<Store extends object>(store: Store, signal: AbortSignal): Store {
  let running = 0;
  const waiting: (() => void)[] = [];
  const call = async (start: () => Promise<unknown>) => {
    if (running < GRAPHQL_READ_COUNT_MAX) running++;
    // A call that ends leaves its place to the next one.
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
