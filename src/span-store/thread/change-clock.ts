import type { ProjectScope } from '../../model/projects/project-member.ts';
import type { StoreChange } from '../contract/store-changes.ts';

/** Times of the last changes of projects, in ms since the epoch. In memory. Clients poll them to learn when to read again. */
export class ChangeClock {
  readonly #byProject = new Map<number, number>();
  readonly #listeners = new Set<(change: StoreChange | undefined) => void>();
  #allAt: number | undefined;
  #latest: number | undefined;

  /** An undefined changeset means that every project may have changed. */
  record(change: StoreChange | undefined, now = Date.now()): void {
    // Two changes within one millisecond must have different times.
    this.#latest = Math.max(now, (this.#latest ?? 0) + 1);
    if (change) for (const projectId of change.projectIds) this.#byProject.set(projectId, this.#latest);
    else this.#allAt = this.#latest;
    for (const listener of this.#listeners) listener(change);
  }

  listen(listener: (change: StoreChange | undefined) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  of(projectId: number): number | undefined {
    const own = this.#byProject.get(projectId);
    if (own === undefined || this.#allAt === undefined) return own ?? this.#allAt;
    return Math.max(own, this.#allAt);
  }

  get latest(): number | undefined {
    return this.#latest;
  }

  latestIn(scope: ProjectScope): number | undefined {
    const listed = new Set('only' in scope ? scope.only : scope.except);
    let latest = this.#allAt;
    for (const [projectId, changedAtMs] of this.#byProject) {
      const isInScope = listed.has(projectId) === 'only' in scope;
      if (isInScope && changedAtMs > (latest ?? 0)) latest = changedAtMs;
    }
    return latest;
  }
}
