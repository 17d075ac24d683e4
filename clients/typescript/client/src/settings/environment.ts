/** A variable of the process without surrounding blanks. Undefined when it is blank or there is no environment. */
export function readVariable(name: string): string | undefined {
  const env = globalThis.process?.env;
  if (!env || !Object.hasOwn(env, name)) return undefined;
  return env[name]?.trim() || undefined;
}
