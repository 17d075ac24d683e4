import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { PAGE_CONFIG } from '../../page-config.ts';
import { appUrl } from '../../router/app-url.ts';
import { checkConnection } from '../connection.ts';
import { checkSession } from '../session.ts';

/** Object that a page follows, by global ID. */
export interface Topic {
  readonly kind: 'project' | 'trace' | 'session';
  readonly id: string;
}

/** @param changedAt Time of the last change. Empty when the server knows of none. */
type Listener = (changedAt: string) => void;

/** Delay after a rejection. The browser reopens a broken connection automatically. */
const REOPEN_MS = 5_000;
/** The server sends a heartbeat every 15 s. */
const SILENCE_MS_MAX = 40_000;
/** Longest time of a resumption during which the stream counts as open. */
const RESUME_MS_MAX = 3_000;

/**
 * Topics of the page's only event stream. A browser allows few connections to a server, and each stream takes one. A
 * hidden page has no stream.
 */
const topics = new Map<string, Set<Listener>>();
let source: EventSource | undefined;
let isOpen = false;
let reopening: ReturnType<typeof setTimeout> | undefined;
let silence: ReturnType<typeof setTimeout> | undefined;
const stateListeners = new Set<() => void>();

function setOpen(next: boolean): void {
  if (next === isOpen) return;
  isOpen = next;
  for (const listener of stateListeners) listener();
}

const keyOf = ({ kind, id }: Topic): string => `${kind}=${encodeURIComponent(id)}`;

function close(): void {
  clearTimeout(reopening);
  clearTimeout(silence);
  reopening = undefined;
  source?.close();
  source = undefined;
}

function open(): void {
  close();
  if (topics.size === 0 || document.visibilityState !== 'visible') {
    setOpen(false);
    return;
  }
  const stream = new EventSource(appUrl(`events?${[...topics.keys()].join('&')}`));
  source = stream;
  const heard = () => {
    if (stream !== source) return;
    failureCount = 0;
    setOpen(true);
    clearTimeout(silence);
    silence = setTimeout(lose, SILENCE_MS_MAX);
  };
  stream.addEventListener('open', heard);
  stream.addEventListener('heartbeat', heard);
  stream.addEventListener('change', ({ data }) => {
    heard();
    notifyTopics(JSON.parse(data) as ChangeEvent);
  });
  stream.addEventListener('error', () => {
    if (stream !== source) return;
    if (PAGE_CONFIG.authenticationEnabled) return void resume();
    setOpen(false);
    void checkConnection();
    if (stream.readyState === EventSource.CLOSED) reopening = setTimeout(open, REOPEN_MS);
  });
}

let failureCount = 0;

/**
 * Reopens a stream that has ended, after a refresh of the session: the server ends a stream when its credential expires, and the
 * browser hides the status of a rejected stream. The page shows nothing while this takes a moment.
 */
async function resume(): Promise<void> {
  close();
  if (failureCount++ > 0) {
    setOpen(false);
    reopening = setTimeout(() => void resume(), REOPEN_MS);
    failureCount = 0;
    return;
  }
  const timer = setTimeout(() => setOpen(false), RESUME_MS_MAX);
  try {
    await checkSession();
    if (source === undefined) open();
  } catch {
    setOpen(false);
    await checkConnection();
    reopening = setTimeout(open, REOPEN_MS);
  } finally {
    clearTimeout(timer);
  }
}

/** A connection may be lost without a close event. */
function lose(): void {
  setOpen(false);
  void checkConnection().then(open);
}

interface ChangeEvent extends Partial<Record<Topic['kind'], string | null>> {
  readonly last_changed_at: string | null;
}

function notifyTopics(event: ChangeEvent): void {
  for (const kind of ['project', 'trace', 'session'] as const) {
    const id = event[kind];
    const listeners = id ? topics.get(keyOf({ kind, id })) : undefined;
    for (const listener of [...(listeners ?? [])]) listener(event.last_changed_at ?? '');
  }
}

document.addEventListener('visibilitychange', open);

/** Components that mount together share one reopening of the stream. */
function reopenSoon(): void {
  clearTimeout(reopening);
  reopening = setTimeout(open, 0);
}

/**
 * Calls `onEvent` for each event of the topic, first as soon as the stream is open. Without a topic it is never called.
 */
export function useTopic(topic: Topic | undefined, onEvent: Listener): void {
  const onTopicEvent = useEffectEvent(onEvent);
  const key = topic && keyOf(topic);
  useEffect(() => {
    if (key === undefined) return;
    const listener: Listener = (changedAt) => onTopicEvent(changedAt);
    const listeners = topics.get(key) ?? new Set();
    if (!topics.has(key)) topics.set(key, listeners);
    listeners.add(listener);
    reopenSoon();
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      topics.delete(key);
      reopenSoon();
    };
  }, [key]);
}

/** Whether the stream is open. */
export const useIsStreamOpen = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      stateListeners.add(listener);
      return () => void stateListeners.delete(listener);
    },
    () => isOpen,
  );
