/** Operations whose first parameter, the ports, is given. */
export type BoundToPorts<Operations> = {
  readonly [Name in keyof Operations]: Operations[Name] extends (ports: never, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** Binds the operations of a noun, so that API layers can call them and have no port. */
export function bindToPorts<
  Ports,
  const Operations extends Readonly<Record<string, (ports: Ports, ...rest: never[]) => unknown>>,
>(ports: Ports, operations: Operations): BoundToPorts<Operations> {
  const bound = Object.entries(operations).map(([name, run]) => [name, (...rest: never[]) => run(ports, ...rest)]);
  return Object.fromEntries(bound);
}

/** Some methods of a repository: queries that need no rule and that API layers may call as they are. */
export const pick = <Repository, Name extends keyof Repository>(
  repository: Repository,
  ...names: readonly Name[]
): Pick<Repository, Name> =>
  Object.fromEntries(names.map((name) => [name, repository[name]])) as Pick<Repository, Name>;
