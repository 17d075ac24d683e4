/**
 * Whether a JSON value has at most `depthMax` levels. Works level by level, because recursion could exceed the stack.
 */
export function nestsWithin(value: object, depthMax: number): boolean {
  let level: object[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthMax) return false;
    level = level.flatMap((one) => Object.values(one).filter((inner) => typeof inner === 'object' && inner !== null));
  }
  return true;
}
