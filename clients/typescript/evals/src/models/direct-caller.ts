import type { ModelCaller } from './model.ts';
import { withCost } from './prices/model-prices.ts';
import { isRepeatable, repeatWaitMs, waitFor } from './repeat.ts';

/** Calls of an evaluator outside of a run, before an error is thrown. */
const ATTEMPT_COUNT_MAX = 3;

/** Repeats a call after rate limits, server errors and lost connections. */
export const directCaller: ModelCaller = {
  async call(model, request) {
    for (let attempt = 1; ; attempt++) {
      request.signal?.throwIfAborted();
      try {
        return withCost(model, await model.call(request));
      } catch (error) {
        if (attempt === ATTEMPT_COUNT_MAX || !isRepeatable(error) || request.signal?.aborted) throw error;
        await waitFor(repeatWaitMs(error, attempt), request.signal);
      }
    }
  },
};
