/** Operations with their ports bound. */
export type BoundToPorts<Operations> = {
  readonly [Name in keyof Operations]: Operations[Name] extends (ports: never, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** Binds functions that take the ports that they need first. */
export function bindOperations<
  Ports,
  const Operations extends Readonly<Record<string, (ports: Ports, ...rest: never[]) => unknown>>,
>(ports: Ports, operations: Operations): BoundToPorts<Operations> {
  const bound = Object.entries(operations).map(([name, run]) => [name, (...rest: never[]) => run(ports, ...rest)]);
  return Object.fromEntries(bound);
}

/** The named methods of a repository and no others, so that API layers reach no write. */
export function pickMethods<Repository extends object, const Name extends keyof Repository>(
  repository: Repository,
  names: readonly Name[],
): Pick<Repository, Name> {
  return Object.fromEntries(names.map((name) => [name, repository[name]])) as Pick<Repository, Name>;
}
