import { isMine } from '../../components/annotations/authorship.ts';
import { annotatedByMe } from '../../components/annotations/generated/annotations.ts';
import { tell, tellFailure } from '../../components/toasts.tsx';
import { send } from '../../data/request.ts';
import { toFailure } from '../../data/use-query.ts';
import { setPreference, usePreferences } from '../../preferences/preferences.ts';
import { navigate } from '../../router/location.ts';
import { type OrderEntry, toStep, useTraceOrder } from './trace-order.ts';

export interface Queue {
  readonly isOn: boolean;
  readonly toggle: () => void;
  /** Goes on to the next row of the list that this person has not annotated. */
  readonly goOn: () => void;
}

/** Looked at in one request. */
const CHUNK_COUNT = 100;

/** Annotating row after row of the list that was left or lies beside. */
export function useQueue(): Queue {
  const { annotatesInQueue } = usePreferences();
  const { following, index } = useTraceOrder();
  const goOn = async () => {
    try {
      const next = await findOpen(following);
      if (next) navigate(toStep(next), { replaces: true });
      else if (following.length > 0) tell('You have annotated all further rows that the table has loaded.');
      else if (index >= 0) tell('This is the last row of its table.');
      else tell('This was not opened from a table. Open a row of a table to go through its rows.');
    } catch (error) {
      tellFailure(toFailure(error).message);
    }
  };
  return {
    isOn: annotatesInQueue,
    toggle: () => setPreference('annotatesInQueue', !annotatesInQueue),
    goOn: () => void goOn(),
  };
}

async function findOpen(entries: readonly OrderEntry[]): Promise<OrderEntry | undefined> {
  for (let at = 0; at < entries.length; at += CHUNK_COUNT) {
    const chunk = entries.slice(at, at + CHUNK_COUNT);
    const { nodes } = await send(annotatedByMe, { ids: chunk.map(({ nodeId }) => nodeId) });
    const isOpen = (index: number) => {
      const node = nodes[index];
      if (!node || !('annotations' in node)) return false;
      return !node.annotations.some(({ identifier }) => isMine({ source: 'APP', identifier }));
    };
    const found = chunk.find((_, index) => isOpen(index));
    if (found) return found;
  }
  return undefined;
}
