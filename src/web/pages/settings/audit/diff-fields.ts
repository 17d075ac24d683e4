/** A field of an entry as text. Undefined where the entry does not contain it. */
export interface FieldDiff {
  /** For example `auth method`. */
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly isChanged: boolean;
}

/** Fields before and after a change, changed ones first. */
export function diffFields(before: unknown, after: unknown): readonly FieldDiff[] {
  const [old, now] = [toMap(before), toMap(after)];
  const fields = [...new Set([...old.keys(), ...now.keys()])].map((name): FieldDiff => {
    const [left, right] = [old.get(name), now.get(name)];
    return { name: toWords(name), before: left, after: right, isChanged: left !== right };
  });
  return [...fields.filter(({ isChanged }) => isChanged), ...fields.filter(({ isChanged }) => !isChanged)];
}

const toMap = (fields: unknown): ReadonlyMap<string, string> =>
  new Map(Object.entries((fields ?? {}) as object).map(([name, value]) => [name, toText(value)]));

function toText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(String).join(', ');
  if (value === null || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const toWords = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
