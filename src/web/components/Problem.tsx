interface ProblemProps {
  /** What went wrong; nothing is shown without it. */
  readonly text: string | undefined;
  /** Absent where the way to try again is elsewhere. */
  readonly onRetry?: (() => void) | undefined;
}

/** A line beside what failed. */
export function Problem({ text, onRetry }: ProblemProps) {
  if (text === undefined) return null;
  return (
    <p className="error-text" role="alert">
      {text}{' '}
      {onRetry && (
        <button type="button" className="button small" onClick={onRetry}>
          Try again
        </button>
      )}
    </p>
  );
}
