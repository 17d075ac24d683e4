import { type Context, type ContextManager, ROOT_CONTEXT } from '@opentelemetry/api';

interface Storage {
  getStore(): Context | undefined;
  run<Result>(store: Context, callback: () => Result): Result;
}

/** The context of the running code: across `await` where the runtime has `AsyncLocalStorage`, else in synchronous code. */
export function createContextManager(): ContextManager {
  const { AsyncLocalStorage } = globalThis as { readonly AsyncLocalStorage?: new () => Storage };
  const storage = AsyncLocalStorage ? new AsyncLocalStorage() : new SynchronousStorage();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (context, run, self, ...args) => storage.run(context, () => run.apply(self, args) as ReturnType<typeof run>),
    bind: (context, target) => {
      if (typeof target !== 'function') return target;
      const bound = function (this: unknown, ...args: unknown[]): unknown {
        return storage.run(context, () => (target as (...args: unknown[]) => unknown).apply(this, args));
      };
      return bound as typeof target;
    },
    enable: () => manager,
    disable: () => manager,
  };
  return manager;
}

class SynchronousStorage implements Storage {
  #active: Context | undefined;

  getStore(): Context | undefined {
    return this.#active;
  }

  run<Result>(store: Context, callback: () => Result): Result {
    const before = this.#active;
    this.#active = store;
    try {
      return callback();
    } finally {
      this.#active = before;
    }
  }
}
