/** Mark of the files, so that another JSON file is recognized. */
export const FILE_KIND = 'spandrel.dashboard';
const FILE_CHARS_MAX = 1_000_000;

/** A dashboard in a file. The server checks the panels. */
export interface DashboardFile {
  readonly name: string;
  readonly description: string;
  readonly version: number;
  readonly panels: unknown;
}

/** Reads the text of a file. @throws {Error} that says what was expected and received */
export function parseFile(text: string): DashboardFile {
  if (text.length > FILE_CHARS_MAX) throw new Error(`A dashboard file has at most ${FILE_CHARS_MAX} characters.`);
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new Error(`The file is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof value !== 'object' || value === null || !('kind' in value) || value.kind !== FILE_KIND) {
    throw new Error(`The file is not an exported dashboard: the field "kind" must be "${FILE_KIND}".`);
  }
  const { name, description, version, panels } = value as unknown as Record<string, unknown>;
  if (typeof name !== 'string' || name.trim() === '') throw new Error('The field "name" must be a string.');
  if (description !== undefined && typeof description !== 'string') {
    throw new Error('The field "description" must be a string.');
  }
  if (!Number.isInteger(version)) throw new Error('The field "version" must be an integer.');
  if (!Array.isArray(panels)) throw new Error('The field "panels" must be a list.');
  return { name, description: description ?? '', version: Number(version), panels };
}
