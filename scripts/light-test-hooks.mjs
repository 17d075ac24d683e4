// Loaded into each process of a run of tests. node:test notes for every promise and other asynchronous resource which test has
// made it, so that an error is reported by its test, and asks V8 for the end of each, which takes an eighth of the processor time of
// tests. Here, it forgets the oldest instead: an error of an older resource fails the run without the name of its test.
import asyncHooks from 'node:async_hooks';

/** Resources whose test is known, beside tests and suites themselves. */
const RESOURCE_COUNT = 100_000;

const { createHook } = asyncHooks;

asyncHooks.createHook = ({ init, destroy, ...others }) => {
  const isOfTests = new Error().stack?.includes('internal/test_runner');
  if (!isOfTests || init === undefined || destroy === undefined) return createHook({ init, destroy, ...others });
  const asyncIds = new Float64Array(RESOURCE_COUNT);
  let count = 0;
  return createHook({
    init(asyncId, type, triggerAsyncId, resource) {
      init(asyncId, type, triggerAsyncId, resource);
      // Tests and suites must be found for as long as they may get further parts.
      if (type === 'Test') return;
      const at = count++ % RESOURCE_COUNT;
      if (asyncIds[at] !== 0) destroy(asyncIds[at]);
      asyncIds[at] = asyncId;
    },
    ...others,
  });
};
