/** Value of an own property of an object. Names from outside may be `constructor` or `__proto__`, which are inherited. */
export function ownValue(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
