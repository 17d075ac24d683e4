/** A variable of the process without surrounding blanks; undefined when it is blank. */
export function readVariable(name: string): string | undefined {
  const { env } = process;
  return Object.hasOwn(env, name) ? env[name]?.trim() || undefined : undefined;
}
