// Loaded into each process of a run of tests. node:test watches every promise and other asynchronous resource to know which test made
// it, so that an error is reported by its test. That is slow. Here, node:test learns which test or suite is running when its function is
// called, so an uncaught error that comes later fails the run without the name of its test.
import asyncHooks from 'node:async_hooks';

const { AsyncResource, createHook } = asyncHooks;
const { runInAsyncScope } = AsyncResource.prototype;

asyncHooks.createHook = (callbacks) => {
  const isOfTests = new Error().stack?.includes('internal/test_runner');
  if (!isOfTests) return createHook(callbacks);
  // Tests and suites are asynchronous resources that run their functions by this method.
  AsyncResource.prototype.runInAsyncScope = function (...args) {
    callbacks.init(this.asyncId(), 'Test', this.triggerAsyncId(), this);
    return runInAsyncScope.apply(this, args);
  };
  return {
    enable() {
      return this;
    },
    disable() {
      return this;
    },
  };
};
