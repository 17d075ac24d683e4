import { useTimeFormat } from '../../format/times.ts';
import { chooseRange } from '../../time-range/time-range.ts';

const HOUR_MS = 3_600_000;

/** There is something, but not in this range: where it is, and the way there. */
export function EmptyRange({ what, lastEnd }: { readonly what: string; readonly lastEnd: string | undefined }) {
  const times = useTimeFormat();
  const last = lastEnd === undefined ? Number.NaN : Date.parse(lastEnd);
  return (
    <div className="empty">
      <h2>No {what} in this range</h2>
      {Number.isNaN(last) ? (
        <p>Choose a longer range to look further back.</p>
      ) : (
        <>
          <p>The latest trace ended {times.short(last)}.</p>
          <button
            type="button"
            className="button"
            onClick={() => chooseRange({ kind: 'fixed', start: last - 24 * HOUR_MS, end: last + 60_000 })}
          >
            Show the day before that
          </button>
        </>
      )}
    </div>
  );
}
