/**
 * Value of an own, enumerable property of an object. Names from outside may be `constructor` or `__proto__`, which are inherited, or
 * `length` of a list, which is no element.
 */
export function ownValue(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !isOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

const isOwn = (value: object, name: string): boolean => Object.prototype.propertyIsEnumerable.call(value, name);
