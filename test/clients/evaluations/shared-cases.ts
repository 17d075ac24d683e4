import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../../../test/fixtures/evaluations/', import.meta.url));

/** A case that Python, TypeScript and, where it computes the same, the server must pass. */
interface SharedCase {
  readonly function: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Null: nothing can be computed, or the input is rejected. */
  readonly expected?: unknown;
  /** Part of the message of the rejection. */
  readonly error?: string;
  readonly onlyIn?: readonly string[];
}

// biome-ignore lint/suspicious/noExplicitAny: arguments are the JSON of the file
type SharedFunction = (given: any) => unknown;

export const readCases = (file: string): readonly SharedCase[] =>
  (JSON.parse(readFileSync(`${FOLDER}${file}`, 'utf8')) as { cases: SharedCase[] }).cases;

/**
 * Runs the cases of a file. A function without an implementation fails, unless `isPart`.
 *
 * @returns number of cases
 */
export async function checkCases(
  file: string,
  functions: Readonly<Record<string, SharedFunction>>,
  { language = 'typescript', isPart = false } = {},
): Promise<number> {
  let count = 0;
  for (const one of readCases(file)) {
    if (one.onlyIn && !one.onlyIn.includes(language)) continue;
    const compute = functions[one.function];
    if (!compute && isPart) continue;
    assert.ok(compute, `${file} has cases of ${one.function}, which is not tested`);
    const title = `${one.function} ${JSON.stringify(one.arguments).slice(0, 300)}`;
    const result = await settle(() => compute(one.arguments));
    if (one.error !== undefined) {
      assert.ok(
        result.error,
        `${title}: expected an error with "${one.error}", received ${JSON.stringify(result.value)}`,
      );
      assert.ok(
        result.error.message.includes(one.error),
        `${title}: expected "${one.error}" in "${result.error.message}"`,
      );
    } else {
      if (result.error && one.expected !== null) throw new Error(title, { cause: result.error });
      assertClose(result.value ?? null, one.expected, title);
    }
    count++;
  }
  return count;
}

async function settle(compute: () => unknown): Promise<{ readonly value?: unknown; readonly error?: Error }> {
  try {
    return { value: await compute() };
  } catch (error) {
    return { error: error as Error };
  }
}

/** Equality of the expected parts, with numbers to 1e-9 of their size. */
export function assertClose(actual: unknown, expected: unknown, path: string): void {
  if (typeof expected === 'number') {
    const value = typeof actual === 'boolean' ? Number(actual) : actual;
    assert.ok(typeof value === 'number', `${path}: expected ${expected}, received ${JSON.stringify(actual)}`);
    const isClose = Math.abs(value - expected) <= Math.max(1e-12, 1e-9 * Math.abs(expected));
    assert.ok(isClose, `${path}: expected ${expected}, received ${value}`);
  } else if (Array.isArray(expected)) {
    assert.equal((actual as unknown[]).length, expected.length, path);
    for (const [index, each] of expected.entries())
      assertClose((actual as unknown[])[index], each, `${path}[${index}]`);
  } else if (typeof expected === 'object' && expected !== null) {
    assert.ok(typeof actual === 'object' && actual !== null, `${path}: expected an object, received ${String(actual)}`);
    for (const [key, each] of Object.entries(expected)) {
      assertClose((actual as Record<string, unknown>)[key] ?? null, each, `${path}.${key}`);
    }
  } else assert.deepEqual(actual ?? null, expected, path);
}
