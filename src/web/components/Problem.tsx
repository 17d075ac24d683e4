interface ProblemProps {
  /** Error message. Nothing is shown without it. */
  readonly text: string | undefined;
  /** Absent if another control retries. */
  readonly onRetry?: (() => void) | undefined;
}

/** Error message in one line. */
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
