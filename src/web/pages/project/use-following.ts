import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Rows } from '../../data/use-rows.ts';
import { formatCount } from '../../format/numbers.ts';
import { isNewChange, type Live } from './use-live.ts';

/** Properties of a table that follows its project. */
export interface Following {
  readonly onAway: (isAway: boolean) => void;
  readonly notice: { readonly text: string; readonly onShow: () => void } | undefined;
}

/**
 * Puts new rows on top as they arrive. While the user reads further down or has selected rows, the visible rows stay,
 * and a notice says how many new rows are above.
 */
export function useFollowing<Row>(
  { rows, isLoading, refresh, newCount, clearNew }: Rows<Row>,
  { change, hasMissed, catchUp }: Live,
  hasSelection: boolean,
): Following {
  const [isAway, setAway] = useState(false);
  const seen = useRef(change);
  const follow = useEffectEvent(() => refresh(isAway || hasSelection));
  useEffect(() => {
    // Another read would cancel the one in progress, again and again while many spans arrive.
    if (isLoading) return;
    const isNew = isNewChange(seen.current, change);
    seen.current = change;
    if (isNew) follow();
  }, [change, isLoading]);
  const onAway = useCallback(
    (next: boolean) => {
      setAway(next);
      if (!next) clearNew();
    },
    [clearNew],
  );
  if (hasMissed && rows.length > 0) return { onAway, notice: { text: 'New rows available', onShow: catchUp } };
  if (newCount === 0 || (!isAway && newCount !== 'many')) return { onAway, notice: undefined };
  const text = newCount === 'many' ? 'Many new rows' : `${formatCount(newCount)} new`;
  return { onAway, notice: { text, onShow: () => (newCount === 'many' ? refresh() : clearNew()) } };
}
