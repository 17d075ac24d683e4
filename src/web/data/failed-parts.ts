import type { QueryKey } from '@tanstack/react-query';
import { createContext, useContext, useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react';
import { failedPartsOf } from './query-client.ts';
import type { FailedPart } from './request.ts';

/** Data that a part of the page lacks, and how to read it again. */
export interface Report extends FailedPart {
  readonly retry: () => void;
}

/** Reports of the queries in one part of the page. */
export class Reports {
  #reports: readonly Report[] = [];
  readonly #listeners = new Set<() => void>();

  listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  all = (): readonly Report[] => this.#reports;

  add(added: readonly Report[]): () => void {
    this.#set([...this.#reports, ...added]);
    return () => this.#set(this.#reports.filter((report) => !added.includes(report)));
  }

  #set(reports: readonly Report[]): void {
    this.#reports = reports;
    for (const listener of this.#listeners) listener();
  }
}

export const ReportsContext = createContext(new Reports());

/** Reports the fields that a query could not read to the part of the page that shows its data. */
export function useReportedParts(queryKey: QueryKey, onRetry: () => unknown): void {
  const reports = useContext(ReportsContext);
  const parts = failedPartsOf(queryKey);
  const retry = useEffectEvent(() => void onRetry());
  useLayoutEffect(() => {
    if (parts.length === 0) return;
    return reports.add(parts.map((part) => ({ ...part, retry: () => retry() })));
  }, [reports, parts]);
}

export const useReports = (reports: Reports): readonly Report[] => useSyncExternalStore(reports.listen, reports.all);
