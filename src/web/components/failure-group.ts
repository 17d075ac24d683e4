import { createContext, useContext, useEffectEvent, useLayoutEffect, useRef, useSyncExternalStore } from 'react';

interface Member {
  readonly message: string;
  /** Whether the part is large enough for the message and advice. */
  readonly isLarge: boolean;
  readonly retry: () => void;
}

/** Failures of the parts of a page. Of several failures with the same message, one part shows it. */
export class FailureGroup {
  readonly #members = new Set<Member>();
  readonly #listeners = new Set<() => void>();

  listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  add(member: Member): () => void {
    this.#members.add(member);
    this.#notify();
    return () => {
      this.#members.delete(member);
      this.#notify();
    };
  }

  isFirst(member: Member | undefined): boolean {
    const same = [...this.#members].filter(({ message }) => message === member?.message);
    return member === undefined || (same.find(({ isLarge }) => isLarge) ?? same[0]) === member;
  }

  retryAll(message: string): void {
    for (const member of [...this.#members]) if (member.message === message) member.retry();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

export const FailureGroupContext = createContext(new FailureGroup());

export interface SharedFailure {
  /** Whether this part shows the message. Otherwise another part of the page does. */
  readonly isFirst: boolean;
  /** Retries in every part that failed with the same message. */
  readonly retry: () => void;
}

/** @param message Undefined when nothing failed. */
export function useSharedFailure(
  message: string | undefined,
  isLarge: boolean,
  onRetry: (() => void) | undefined,
): SharedFailure {
  const group = useContext(FailureGroupContext);
  const member = useRef<Member>(undefined);
  const retry = useEffectEvent(() => onRetry?.());
  useLayoutEffect(() => {
    if (message === undefined) return;
    member.current = { message, isLarge, retry };
    const remove = group.add(member.current);
    return () => {
      member.current = undefined;
      remove();
    };
  }, [group, message, isLarge]);
  const isFirst = useSyncExternalStore(group.listen, () => group.isFirst(member.current));
  return { isFirst, retry: () => message !== undefined && group.retryAll(message) };
}
