import { isMine } from '../../../components/annotations/authorship.ts';
import { annotatedByMe } from '../../../components/annotations/generated/annotations.ts';
import { toast, toastFailure } from '../../../components/toasts.tsx';
import { send, toFailure } from '../../../data/request.ts';
import { formatCount } from '../../../format/numbers.ts';
import { getPreferences, setPreference, usePreferences } from '../../../preferences/preferences.ts';
import { navigate } from '../../../router/location.ts';
import { type OrderEntry, setSelectedOrder, toStep, useTraceOrder } from './trace-order.ts';

/** Kind of object that is annotated for a row. */
export type QueueKind = keyof OrderEntry['nodeIds'];

export interface Queue {
  /** Whether an annotation by keyboard opens the next row. */
  readonly isOn: boolean;
  readonly toggle: () => void;
  /** Position of the open row in the list, from 1. */
  readonly position: number;
  readonly count: number;
}

export interface QueueControl {
  /** Undefined when no row of a list is open. */
  readonly queue: Queue | undefined;
  /** Opens the next row that the user has not annotated. Resolves to whether there was one. */
  readonly goOn: () => Promise<boolean>;
}

/** Number of IDs in one request. */
const CHUNK_COUNT = 100;

/** Steps through the rows of the list that the open object belongs to, to annotate them one after another. */
export function useQueue(kind: QueueKind): QueueControl {
  const { annotatesInQueue } = usePreferences();
  const { entries, index, isSelection } = useTraceOrder();
  const openId = entries[index]?.nodeIds[kind];
  const goOn = async () => {
    const from = window.location.href;
    if (openId === undefined) {
      toast('This page was not opened from a table. Open a row of a table to step through its rows.');
      return false;
    }
    const after = entries.slice(index + 1);
    // A selection includes the rows above the open one.
    const others = isSelection ? [...after, ...entries.slice(0, index)] : after;
    try {
      const next = await findOpen(others, kind, openId);
      // If the user has navigated elsewhere during the request, the page stays.
      if (window.location.href !== from) return false;
      if (next) navigate(toStep(next), { replaces: true });
      else if (isSelection) toast(`You have annotated all ${formatCount(entries.length)} selected rows.`);
      else if (after.length > 0) toast('You have annotated all remaining rows that the table has loaded.');
      else toast('This is the last row of its table.');
      return next !== undefined;
    } catch (error) {
      toastFailure(toFailure(error).message);
      return false;
    }
  };
  const toggle = () => setPreference('annotatesInQueue', !getPreferences().annotatesInQueue);
  const queue =
    openId === undefined ? undefined : { isOn: annotatesInQueue, toggle, position: index + 1, count: entries.length };
  return { queue, goOn };
}

/** Opens the first row that the user has not annotated, or else the first row, with the annotation pane. */
export async function startQueue(entries: readonly OrderEntry[], kind: QueueKind): Promise<void> {
  try {
    const first = (await findOpen(entries, kind)) ?? entries[0];
    if (!first) return;
    setSelectedOrder(entries);
    setPreference('annotatesInQueue', true);
    const query = new URLSearchParams(first.search);
    query.set('aside', kind === 'trace' ? 'trace' : 'annotations');
    navigate(`${first.path}?${query}`);
  } catch (error) {
    toastFailure(toFailure(error).message);
  }
}

/** @throws {RequestFailure} */
async function findOpen(
  entries: readonly OrderEntry[],
  kind: QueueKind,
  openId?: string,
): Promise<OrderEntry | undefined> {
  // Several rows may be spans of the annotated trace.
  const others = entries.filter(({ nodeIds }) => nodeIds[kind] !== undefined && nodeIds[kind] !== openId);
  for (let at = 0; at < others.length; at += CHUNK_COUNT) {
    const chunk = others.slice(at, at + CHUNK_COUNT);
    const { viewer, nodes } = await send(annotatedByMe, { ids: chunk.map(({ nodeIds }) => nodeIds[kind]!) });
    const found = chunk.find((_, index) => {
      const node = nodes[index];
      if (!node || !('annotations' in node)) return false;
      return !node.annotations.some((each) => isMine({ ...each, source: 'APP', viewerId: viewer?.id }));
    });
    if (found) return found;
  }
  return undefined;
}
