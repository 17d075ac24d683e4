const COLUMNS = ['name', 'kind', 'updatedAt'] as const;

/** Reads `column:asc` of the address. Undefined for an unknown column: the server then sorts by name. */
export function readEvaluatorSort(text: string | null) {
  const [, name, dir] = /^(\w+):(asc|desc)$/.exec(text ?? '') ?? [];
  const col = COLUMNS.find((each) => each === name);
  return col === undefined ? undefined : { col, dir: dir as 'asc' | 'desc' };
}
