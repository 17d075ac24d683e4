import { UNASKED_CHANGE_COUNT_MAX } from '../../model/limits/span-store.ts';
import type { AggregateChange } from './aggregate-bin.ts';
import type { AggregateKind, ProjectBins } from './project-bins.ts';

/** Records the changes of a project by commits. */
export interface Watch {
  /** Changes by commits up to a journal position, or after it. Undefined if a commit may have changed anything. */
  changes(where: 'upTo' | 'after', position: number): AggregateChange[] | undefined;
  end(): void;
}

/**
 * Adds the changes of a commit to the changesets of projects. A changeset is undefined where nothing uses it. Returns false when
 * the changes are unknown.
 */
export type NotifyChanges = (
  changesetOf: (kind: AggregateKind, projectId: number) => AggregateChange[] | undefined,
) => boolean;

/** Bins of a project at a position. `bins` is undefined when they exceed the memory limit. */
export interface LoadedBins {
  readonly bins: ProjectBins | undefined;
  readonly position: number;
}

interface Commit {
  readonly position: number;
  /** Undefined if anything may have changed. */
  readonly changes: readonly AggregateChange[] | undefined;
}

/**
 * Aggregates of the traces and spans of projects by bin of time, in memory. They are loaded from the database by the first
 * read, and each commit updates them. Evicted aggregates are loaded again.
 */
export class RangeAggregates {
  readonly bytesMax: number;
  /** Bins by kind and project, the least recently used first. */
  readonly #bins = new Map<string, ProjectBins>();
  readonly #loading = new Map<string, Promise<void>>();
  readonly #watches = new Map<string, Set<Commit[]>>();
  /** The latest first hour for which the bins of a project exceed the memory limit. */
  readonly #tooLargeFrom = new Map<string, number>();
  #position = 0;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  /** Journal position of the last commit. */
  get position(): number {
    return this.#position;
  }

  /** Bins from this hour on, or from an earlier one. Undefined when they must be loaded. */
  find(kind: AggregateKind, projectId: number, fromHour: number): ProjectBins | undefined {
    const key = keyOf(kind, projectId);
    const found = this.#bins.get(key);
    if (!found || found.fromHour > fromHour) return undefined;
    this.#bins.delete(key);
    this.#bins.set(key, found);
    return found;
  }

  isTooLarge(kind: AggregateKind, projectId: number, fromHour: number): boolean {
    const from = this.#tooLargeFrom.get(keyOf(kind, projectId));
    return this.bytesMax === 0 || (from !== undefined && fromHour <= from);
  }

  /** Loads bins, or waits for a running load. Afterwards, the caller must call `find` again. */
  async load(kind: AggregateKind, projectId: number, fromHour: number, read: () => Promise<LoadedBins>): Promise<void> {
    const key = keyOf(kind, projectId);
    const loading = this.#loading.get(key);
    if (loading) return loading;
    const reading = this.#load(key, fromHour, this.watch(kind, projectId), read);
    // A waiting caller does not receive the error, because only the loading read may have been cancelled.
    this.#loading.set(
      key,
      reading.catch(() => undefined),
    );
    return reading;
  }

  async #load(key: string, fromHour: number, watch: Watch, read: () => Promise<LoadedBins>): Promise<void> {
    try {
      const { bins, position } = await read();
      const later = watch.changes('after', position);
      if (!bins) {
        this.#tooLargeFrom.set(key, Math.max(fromHour, this.#tooLargeFrom.get(key) ?? fromHour));
      } else if (later) {
        for (const change of later) bins.apply(change);
        this.#bins.delete(key);
        this.#bins.set(key, bins);
        this.#evict();
      }
    } finally {
      watch.end();
      this.#loading.delete(key);
    }
  }

  watch(kind: AggregateKind, projectId: number): Watch {
    const key = keyOf(kind, projectId);
    const commits: Commit[] = [];
    const watches = this.#watches.get(key) ?? new Set();
    this.#watches.set(key, watches.add(commits));
    return {
      changes(where, position) {
        const meant = commits.filter((commit) => commit.position <= position === (where === 'upTo'));
        return meant.every(({ changes }) => changes) ? meant.flatMap(({ changes }) => changes ?? []) : undefined;
      },
      end: () => {
        watches.delete(commits);
        if (watches.size === 0) this.#watches.delete(key);
      },
    };
  }

  /** Must be called when the database is open, and after each commit before any other `await`. `notify` adds its changes. */
  advance(position: number, notify?: NotifyChanges): void {
    this.#position = position;
    if (!notify || (this.#bins.size === 0 && this.#watches.size === 0)) return;
    const changed = new Map<string, AggregateChange[]>();
    const isNotified = notify((kind, projectId) => {
      const key = keyOf(kind, projectId);
      if (!this.#bins.has(key) && !this.#watches.has(key)) return undefined;
      const changes = changed.get(key) ?? [];
      changed.set(key, changes);
      return changes;
    });
    if (!isNotified) this.invalidate(position);
    else this.#apply(position, changed);
  }

  #apply(position: number, changed: ReadonlyMap<string, AggregateChange[]>): void {
    for (const [key, changes] of changed) {
      for (const commits of this.#watches.get(key) ?? []) commits.push({ position, changes });
      const bins = this.#bins.get(key);
      if (!bins) continue;
      for (const change of changes) bins.apply(change);
      // Sorting so many changes would take longer than loading the bins again.
      if (bins.unreadCount > UNASKED_CHANGE_COUNT_MAX) this.#bins.delete(key);
    }
    this.#evict();
  }

  /** Advances the position by a commit that may have changed anything. */
  invalidate(position: number): void {
    this.#position = position;
    this.#bins.clear();
    this.#tooLargeFrom.clear();
    for (const watches of this.#watches.values()) {
      for (const commits of watches) commits.push({ position, changes: undefined });
    }
  }

  #evict(): void {
    let bytes = 0;
    for (const bins of this.#bins.values()) bytes += bins.bytes;
    for (const [key, bins] of this.#bins) {
      if (bytes <= this.bytesMax) return;
      this.#bins.delete(key);
      bytes -= bins.bytes;
    }
  }
}

const keyOf = (kind: AggregateKind, projectId: number): string => `${kind} ${projectId}`;
