/** Which attributes, and which values in JSON texts of attributes, a path names. */
export interface PathPattern {
  matchesKey(key: string): boolean;
  /** Steps into the JSON text of the attribute; empty for the whole attribute. */
  readonly steps: readonly string[];
}

/**
 * Reads a path such as `llm.input_messages.*.message.content`, `metadata.**` or `input.value#/user/email`. `*` is one part
 * of a key and one step into JSON, `**` at the end of a key all that follow. The part behind `#` is a JSON pointer.
 *
 * @throws {Error} for a path without a key
 */
export function parsePath(path: string): PathPattern {
  const at = path.indexOf('#');
  const key = at < 0 ? path : path.slice(0, at);
  if (!key) throw new Error(`A path of mask begins with the key of an attribute, and this one is "${path}".`);
  const pointer = at < 0 ? '' : path.slice(at + 1);
  const expression = key
    .split('.')
    .map((part) => (part === '**' ? '.+' : part === '*' ? '[^.]+' : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')))
    .join('\\.');
  const regExp = new RegExp(`^${expression}$`, 's');
  const steps = pointer.split('/').slice(1);
  return { matchesKey: (name) => regExp.test(name), steps: steps.map(toKey) };
}

const toKey = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** Replaces the values that steps lead to, in place, and returns the new value. */
export function replaceAt(value: unknown, steps: readonly string[], replacement: string): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return replacement;
  if (typeof value !== 'object' || value === null) return value;
  const target = value as Record<string, unknown>;
  for (const key of step === '*' ? Object.keys(target) : [step]) {
    // Own keys alone, so that `__proto__` leads nowhere.
    if (Object.hasOwn(target, key)) target[key] = replaceAt(target[key], rest, replacement);
  }
  return value;
}
