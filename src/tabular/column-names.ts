/**
 * Names of the columns of a table, each once: a repeated name gets a number, and an empty one is named after its index.
 *
 * `['a', 'a', '']` → `['a', 'a_2', 'column_3']`
 */
export function toColumnNames(headers: readonly string[]): string[] {
  const given = new Set(headers);
  const used = new Set<string>();
  return headers.map((header, index) => {
    let name = header.trim() === '' ? `column_${index + 1}` : header;
    const base = name;
    // A numbered name must not take the name that another header states.
    for (let number = 2; used.has(name) || (name !== header && given.has(name)); number++) name = `${base}_${number}`;
    used.add(name);
    return name;
  });
}
