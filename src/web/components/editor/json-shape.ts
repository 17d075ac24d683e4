import type { JsonPosition } from './json-position.ts';

/** What a JSON value may contain. Shapes of values that nest in themselves refer to each other by functions. */
export interface JsonShape {
  readonly keys?: Readonly<Record<string, ShapeKey>>;
  /** Values under names that the user chooses. */
  readonly others?: () => JsonShape;
  readonly items?: () => JsonShape;
  /** JSON texts of values. */
  readonly values?: readonly string[];
}

export interface ShapeKey {
  /** One line that says what the name means. */
  readonly about: string;
  readonly shape?: () => JsonShape;
}

export interface JsonSuggestion {
  /** Name or JSON text of a value, as the list shows it. */
  readonly label: string;
  readonly about: string;
  /** Text that replaces the token with the caret. */
  readonly insert: string;
}

const COUNT_MAX = 12;

/** Names and values that fit at a position. Those that begin with the typed text come first. */
export function suggestJson(shape: JsonShape, position: JsonPosition): readonly JsonSuggestion[] {
  const { path, expected, typed, names, hasColon } = position;
  const found = follow(shape, path);
  if (!found) return [];
  const all =
    expected === 'key'
      ? Object.entries(found.keys ?? {})
          .filter(([name]) => !names.has(name))
          .map(([name, { about }]) => ({
            label: name,
            about,
            insert: `${JSON.stringify(name)}${hasColon ? '' : ': '}`,
          }))
      : (found.values ?? []).map((value) => ({ label: value, about: '', insert: value }));
  const text = typed.toLowerCase();
  const rank = ({ label }: JsonSuggestion): number => {
    const plain = label.replaceAll('"', '').toLowerCase();
    return plain.startsWith(text) ? 0 : plain.includes(text) ? 1 : 2;
  };
  return all
    .filter((each) => rank(each) < 2)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, COUNT_MAX);
}

function follow(shape: JsonShape, path: JsonPosition['path']): JsonShape | undefined {
  let current: JsonShape | undefined = shape;
  for (const step of path) {
    if (typeof step === 'number') current = current?.items?.();
    else {
      const key = new Map(Object.entries(current?.keys ?? {})).get(step);
      current = key ? key.shape?.() : current?.others?.();
    }
    if (!current) return undefined;
  }
  return current;
}
