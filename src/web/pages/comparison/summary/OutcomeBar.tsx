import { formatCount } from '../../../format/numbers.ts';
import type { Difference } from '../compared.ts';

/** Examples that an experiment won, lost and tied against the baseline, as a bar. */
export function OutcomeBar({
  of: { wins, losses, ties },
}: {
  readonly of: Pick<Difference, 'wins' | 'losses' | 'ties'>;
}) {
  const all = wins + losses + ties;
  if (all === 0) return <span className="muted">No pairs</span>;
  const label = `${formatCount(wins)} better, ${formatCount(losses)} worse, ${formatCount(ties)} equal`;
  return (
    <span className="outcome" title={label}>
      <span className="outcome-bar" role="img" aria-label={label}>
        {wins > 0 && <i className="is-better" style={{ flexGrow: wins }} />}
        {ties > 0 && <i className="is-equal" style={{ flexGrow: ties }} />}
        {losses > 0 && <i className="is-worse" style={{ flexGrow: losses }} />}
      </span>
      <span className="outcome-counts" aria-hidden="true">
        <span className="better-text">▲{formatCount(wins)}</span>
        <span className="muted">={formatCount(ties)}</span>
        <span className="worse-text">▼{formatCount(losses)}</span>
      </span>
    </span>
  );
}
