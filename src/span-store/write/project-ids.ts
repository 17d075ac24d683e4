/** Names of projects. `position` is the journal position of the request. */
export interface ProjectNames {
  resolve(names: readonly string[], position: number): Promise<ReadonlyMap<string, number>>;
  /** Deletes a project, whose data is deleted. Called again if the commit of the store fails or is lost in a crash. */
  remove(project: { readonly rowId: number; readonly name: string }, position: number): Promise<void>;
}

/** Maximum number of project names in memory. */
const PROJECT_COUNT_MAX = 10_000;

/** Row ids of projects by name, of which the most recent are in memory. */
export class ProjectIds {
  readonly #projects: ProjectNames;
  readonly #projectIds = new Map<string, number>();

  constructor(projects: ProjectNames) {
    this.#projects = projects;
  }

  /** Evicts every name of a project: several long names may belong to the same one. */
  evict(projectId: number): void {
    for (const [name, id] of this.#projectIds) if (id === projectId) this.#projectIds.delete(name);
  }

  async find(names: readonly string[], position: number): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>();
    const unknown: string[] = [];
    for (const name of names) {
      const id = this.#projectIds.get(name);
      if (id === undefined) unknown.push(name);
      else found.set(name, id);
    }
    if (unknown.length === 0) return found;
    const resolved = await this.#projects.resolve(unknown, position);
    if (this.#projectIds.size + resolved.size > PROJECT_COUNT_MAX) this.#projectIds.clear();
    for (const [name, id] of resolved) {
      found.set(name, id);
      this.#projectIds.set(name, id);
    }
    return found;
  }
}
