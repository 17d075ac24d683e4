/** A project: the container of telemetry. */
export interface Project {
  readonly rowId: number;
  readonly name: string;
  readonly description: string | null;
  readonly createdAt: Date;
}

/** The project that spans go to when their sender names none; it cannot be deleted. */
export const DEFAULT_PROJECT_NAME = 'default';
