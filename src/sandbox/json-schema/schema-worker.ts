import { serveTasks } from '../threads/serve-tasks.ts';
import { compileSchema } from './compile-schema.ts';

// The thread of JSON schemas. `thread-json-schemas.ts` starts it.

export interface SchemaTask {
  /** JSON text. */
  readonly schema: string;
  /** JSON text of a value to check. Absent: the schema alone is checked. */
  readonly value?: string | undefined;
}

/** The problem, or null. */
export type SchemaResult = string | null;

serveTasks(
  async (_task: SchemaTask) => undefined,
  (_runtime, { schema, value }): SchemaResult => {
    const compiled = compileSchema(schema);
    if ('problem' in compiled) return `The schema is invalid: ${compiled.problem}`;
    return value === undefined ? null : compiled.check(JSON.parse(value));
  },
);
