import { UNASKED_CHANGE_COUNT_MAX } from '../../model/limits.ts';
import type { SumChange } from './aggregate-bin.ts';
import type { ProjectParts, SummedKind } from './project-bins.ts';

/** What commits change of a project, from a moment on. */
export interface Watch {
  /** Of commits up to a position of the journal, or of those after it; undefined where one may have changed anything. */
  changes(where: 'upTo' | 'after', position: number): SumChange[] | undefined;
  end(): void;
}

/**
 * Adds the changes of a commit to the changesets of projects. A changeset is undefined where nothing uses it. Returns false when
 * the changes are unknown.
 */
export type NotifyChanges = (changesetOf: (kind: SummedKind, projectId: number) => SumChange[] | undefined) => boolean;

/** What was read of a project at a position that has been noted; without parts it is too much to be kept. */
export interface LoadedParts {
  readonly parts: ProjectParts | undefined;
  readonly position: number;
}

interface Commit {
  readonly position: number;
  /** Undefined: anything may have changed. */
  readonly changes: readonly SumChange[] | undefined;
}

/**
 * Sums over the traces and spans of projects by part of time, in memory: read from the database when they are first asked
 * for, then kept right by what each commit changes. What is not here, or went for want of room, is read again.
 */
export class RangeSums {
  readonly bytesMax: number;
  /** By kind and project, the least lately asked first. */
  readonly #parts = new Map<string, ProjectParts>();
  readonly #loading = new Map<string, Promise<void>>();
  readonly #watches = new Map<string, Set<Commit[]>>();
  /** The latest hour from which on a project is too much. */
  readonly #tooMuchFrom = new Map<string, number>();
  #position = 0;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  /** Of the journal: that of the last commit that was noted. */
  get position(): number {
    return this.#position;
  }

  /** Sums from this hour on, or an earlier one; undefined when they must be loaded. */
  find(kind: SummedKind, projectId: number, fromHour: number): ProjectParts | undefined {
    const key = keyOf(kind, projectId);
    const found = this.#parts.get(key);
    if (!found || found.fromHour > fromHour) return undefined;
    this.#parts.delete(key);
    this.#parts.set(key, found);
    return found;
  }

  isTooMuch(kind: SummedKind, projectId: number, fromHour: number): boolean {
    const from = this.#tooMuchFrom.get(keyOf(kind, projectId));
    return this.bytesMax === 0 || (from !== undefined && fromHour <= from);
  }

  /** Loads sums, or waits for who is at it. Either way it is to be asked again whether they are here. */
  async load(kind: SummedKind, projectId: number, fromHour: number, read: () => Promise<LoadedParts>): Promise<void> {
    const key = keyOf(kind, projectId);
    const loading = this.#loading.get(key);
    if (loading) return loading;
    const reading = this.#load(key, fromHour, this.watch(kind, projectId), read);
    // Who waits does not meet the error: perhaps only the read was cancelled.
    this.#loading.set(
      key,
      reading.catch(() => undefined),
    );
    return reading;
  }

  async #load(key: string, fromHour: number, watch: Watch, read: () => Promise<LoadedParts>): Promise<void> {
    try {
      const { parts, position } = await read();
      const later = watch.changes('after', position);
      if (!parts) {
        this.#tooMuchFrom.set(key, Math.max(fromHour, this.#tooMuchFrom.get(key) ?? fromHour));
      } else if (later) {
        for (const change of later) parts.apply(change);
        this.#parts.delete(key);
        this.#parts.set(key, parts);
        this.#makeRoom();
      }
    } finally {
      watch.end();
      this.#loading.delete(key);
    }
  }

  watch(kind: SummedKind, projectId: number): Watch {
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

  /** To be called when the database is open and after each commit, before anything else is awaited. `notify`: what it changed, if it did. */
  note(position: number, notify?: NotifyChanges): void {
    this.#position = position;
    if (!notify || (this.#parts.size === 0 && this.#watches.size === 0)) return;
    const changed = new Map<string, SumChange[]>();
    const isNotified = notify((kind, projectId) => {
      const key = keyOf(kind, projectId);
      if (!this.#parts.has(key) && !this.#watches.has(key)) return undefined;
      const changes = changed.get(key) ?? [];
      changed.set(key, changes);
      return changes;
    });
    if (!isNotified) this.forget(position);
    else this.#apply(position, changed);
  }

  #apply(position: number, changed: ReadonlyMap<string, SumChange[]>): void {
    for (const [key, changes] of changed) {
      for (const commits of this.#watches.get(key) ?? []) commits.push({ position, changes });
      const parts = this.#parts.get(key);
      if (!parts) continue;
      for (const change of changes) parts.apply(change);
      // Sorting all of it in one go would take longer than reading it again.
      if (parts.unaskedCount > UNASKED_CHANGE_COUNT_MAX) this.#parts.delete(key);
    }
    this.#makeRoom();
  }

  /** The same of a commit that may have changed anything. */
  forget(position: number): void {
    this.#position = position;
    this.#parts.clear();
    this.#tooMuchFrom.clear();
    for (const watches of this.#watches.values()) {
      for (const commits of watches) commits.push({ position, changes: undefined });
    }
  }

  #makeRoom(): void {
    let bytes = 0;
    for (const parts of this.#parts.values()) bytes += parts.bytes;
    for (const [key, parts] of this.#parts) {
      if (bytes <= this.bytesMax) return;
      this.#parts.delete(key);
      bytes -= parts.bytes;
    }
  }
}

const keyOf = (kind: SummedKind, projectId: number): string => `${kind} ${projectId}`;
