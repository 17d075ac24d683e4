import { GRAPHQL_READ_COUNT_MAX } from '../../model/limits.ts';
import type { SpanReader } from '../../domain/domain.ts';

/**
 * A reader that lets few reads of one request into the store's queue at a time: a list of a thousand projects, each with
 * a page of spans, must not keep everybody else waiting behind a thousand reads.
 */
export function fairReader(spans: SpanReader): SpanReader {
  let running = 0;
  const waiting: (() => void)[] = [];
  const inTurn = async (read: () => Promise<unknown>) => {
    if (running < GRAPHQL_READ_COUNT_MAX) running++;
    // Whoever ends hands its place over.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await read();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
  return new Proxy(spans, {
    get: (target, name: keyof SpanReader) => {
      const read = target[name].bind(target) as (...args: unknown[]) => Promise<unknown>;
      return (...args: unknown[]) => inTurn(() => read(...args));
    },
  });
}
