interface EarlyAnswer {
  readonly answer: Promise<unknown>;
  readonly askedAt: number;
}

const early = new Map<string, EarlyAnswer>();
/** What nobody has taken by then is too old to be shown. */
const AGE_MS_MAX = 5_000;

/**
 * Asks before the page that wants the answer is there: its code and its data come at the same time then.
 *
 * @param key The key of `useQuery` or `useRows`.
 */
export function askEarly(key: string, ask: () => Promise<unknown>): void {
  const answer = ask();
  // Whoever takes it learns of a failure; it may be that nobody does.
  answer.catch(() => undefined);
  early.set(key, { answer, askedAt: performance.now() });
}

/** The answer on its way, for the first who wants it. */
export function takeEarly<Answer>(key: string): Promise<Answer> | undefined {
  const found = early.get(key);
  early.delete(key);
  return found && performance.now() - found.askedAt < AGE_MS_MAX ? (found.answer as Promise<Answer>) : undefined;
}
