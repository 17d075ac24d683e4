import { useCallback, useEffect, useRef, useState } from 'react';
import type { Rows } from '../../data/use-rows.ts';
import { formatCount } from '../../format/numbers.ts';
import type { Live } from './use-live.ts';

const RECENT_MS = 10_000;
const isRecent = (change: string | undefined): boolean =>
  change !== undefined && Date.parse(change) > Date.now() - RECENT_MS;

/** What a table is told so that it goes along with its project. */
export interface Following {
  readonly onAway: (isAway: boolean) => void;
  readonly notice: { readonly text: string; readonly onShow: () => void } | undefined;
}

/**
 * Puts new rows on top as they come. Whoever reads further down, or has selected rows, keeps what they see, and is told
 * how many are above.
 */
export function useFollowing<Row>(
  { rows, isLoading, refresh, newCount, forgetNew }: Rows<Row>,
  { change, hasMissed, catchUp }: Live,
  hasSelection: boolean,
): Following {
  const [isAway, setAway] = useState(false);
  const isHeld = useRef(false);
  isHeld.current = isAway || hasSelection;
  const seen = useRef(change);
  useEffect(() => {
    // What is on its way comes first: asking anew would throw it away, again and again where much arrives.
    if (isLoading) return;
    // The first one tells of what the rows have, but for what came while they were on their way.
    const isNew = seen.current === undefined ? isRecent(change) : seen.current !== change;
    seen.current = change;
    if (isNew) refresh(isHeld.current);
  }, [change, isLoading, refresh]);
  const onAway = useCallback(
    (next: boolean) => {
      setAway(next);
      if (!next) forgetNew();
    },
    [forgetNew],
  );
  if (hasMissed && rows.length > 0) return { onAway, notice: { text: 'There is more by now', onShow: catchUp } };
  if (newCount === 0 || (!isAway && newCount !== 'many')) return { onAway, notice: undefined };
  const text = newCount === 'many' ? 'Many new rows' : `${formatCount(newCount)} new`;
  return { onAway, notice: { text, onShow: () => (newCount === 'many' ? refresh() : forgetNew()) } };
}
