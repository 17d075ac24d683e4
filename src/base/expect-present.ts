/**
 * A value of a lookup that cannot fail because of an invariant of the code.
 *
 * @throws {Error} naming the invariant if it is broken, which is a programming error
 */
export function expectPresent<Value>(value: Value | undefined, invariant: string): Value {
  if (value === undefined) throw new Error(`A value is missing, although ${invariant}`);
  return value;
}
