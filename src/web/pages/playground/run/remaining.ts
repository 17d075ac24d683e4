interface RunState {
  readonly total: number;
  readonly ended: number;
  readonly elapsedMs: number;
}

/** Time that the rest of a run takes at its speed so far. Undefined until a cell has ended. */
export const remainingMs = ({ total, ended, elapsedMs }: RunState): number | undefined =>
  ended === 0 || ended >= total ? undefined : (elapsedMs / ended) * (total - ended);
