import assert from 'node:assert/strict';
import { parentPort, workerData } from 'node:worker_threads';
import type { FromThread, TaskMessage } from './thread-protocol.ts';

/** A value that an earlier thread of the pool has shared before this one started. */
export const sharedValue = <Value>(key: string): Value | undefined => (workerData as Map<string, Value>).get(key);

/** Gives later threads of the pool a value, such as a compiled module. */
export function shareValue(key: string, value: unknown): void {
  parentPort?.postMessage({ type: 'shared', key, value } satisfies FromThread<never>);
}

/**
 * Serves the tasks of a thread, one at a time.
 *
 * @param prepare Loads what a task needs. The time of the task starts when its promise resolves.
 */
export function serveTasks<Task, Result, Runtime>(
  prepare: (task: Task) => Promise<Runtime>,
  run: (runtime: Runtime, task: Task) => Result,
): void {
  const port = parentPort;
  assert(port, 'tasks are served in a worker');
  const send = (message: FromThread<Result>) => port.postMessage(message);
  port.on('message', async ({ id, task }: TaskMessage<Task>) => {
    try {
      const runtime = await prepare(task);
      send({ type: 'running', id });
      send({ type: 'done', id, result: run(runtime, task) });
    } catch (error) {
      send({ type: 'failed', id, message: error instanceof Error ? error.message : String(error) });
    }
  });
}
