import { type ExactJson, toExactJsonText } from '../../base/exact-json.ts';
import { nestsWithin } from '../../base/json-depth.ts';
import {
  SANDBOX_HEAP_MB_MAX,
  SCHEMA_CHARS_MAX,
  SCHEMA_CHECK_MS_MAX,
  SCHEMA_DEPTH_MAX,
  SCHEMA_THREAD_COUNT,
  SCHEMA_VALUE_CHARS_MAX,
} from '../../model/limits/sandbox.ts';
import type { JsonSchemas, SchemaCheck } from '../contract/json-schemas.ts';
import { ThreadPool } from '../threads/thread-pool.ts';
import type { SchemaResult, SchemaTask } from './schema-worker.ts';

/** Checks schemas and values in a thread, because their patterns may need exponential time. */
export function createJsonSchemas(): JsonSchemas {
  const threads = new ThreadPool<SchemaTask, SchemaResult>({
    file: new URL('./schema-worker.cjs', import.meta.url),
    name: 'json-schemas',
    threadCount: SCHEMA_THREAD_COUNT,
    resourceLimits: { maxOldGenerationSizeMb: SANDBOX_HEAP_MB_MAX },
  });
  const check = async (schema: ExactJson, value: ExactJson | undefined, signal?: AbortSignal): Promise<SchemaCheck> => {
    const task = toTask(schema, value);
    if ('problem' in task) return { ok: false, problem: task.problem };
    const outcome = await threads.run(task, { owner: '', timeoutMs: SCHEMA_CHECK_MS_MAX, signal });
    if (outcome.type === 'done') {
      return outcome.result === null ? { ok: true } : { ok: false, problem: outcome.result };
    }
    return { ok: false, problem: outcome.type === 'failed' ? outcome.message : EXCEEDED[outcome.type] };
  };
  return {
    checkSchema: (schema, signal) => check(schema, undefined, signal),
    validate: (schema, value, signal) => check(schema, value, signal),
    close: () => threads.close(),
  };
}

const EXCEEDED = {
  timeout: `The check of the schema took longer than ${SCHEMA_CHECK_MS_MAX} ms, the maximum`,
  memory: 'The check of the schema needs too much memory',
};

function toTask(schema: ExactJson, value: ExactJson | undefined): SchemaTask | { readonly problem: string } {
  if (typeof schema === 'object' && schema !== null && !nestsWithin(schema, SCHEMA_DEPTH_MAX)) {
    return { problem: `The schema nests more deeply than ${SCHEMA_DEPTH_MAX} levels, the maximum` };
  }
  const task = { schema: toExactJsonText(schema), value: value === undefined ? undefined : toExactJsonText(value) };
  if (task.schema.length > SCHEMA_CHARS_MAX) {
    return { problem: `The schema has ${task.schema.length} characters of JSON; the maximum is ${SCHEMA_CHARS_MAX}` };
  }
  if (task.value !== undefined && task.value.length > SCHEMA_VALUE_CHARS_MAX) {
    return {
      problem: `The value has ${task.value.length} characters of JSON; the maximum is ${SCHEMA_VALUE_CHARS_MAX}`,
    };
  }
  return task;
}
