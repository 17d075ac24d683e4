/** Filter condition that a click creates. */
export interface Choice {
  /** Field name in filters: `span_kind`, `metadata['topic']`. */
  readonly field: string;
  readonly value: string | number | boolean;
}

/** Quotes a text for a filter. */
export const quote = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;

export function writeCondition({ field, value }: Choice, isExcluded: boolean): string {
  const literal =
    typeof value === 'string' ? quote(value) : value === true ? 'True' : value === false ? 'False' : value;
  return `${field} ${isExcluded ? '!=' : '=='} ${literal}`;
}

/** Field of an attribute path: `a['b']['c']`. */
export const attributeField = (path: readonly string[]): string =>
  `attributes${path.map((key) => `[${quote(key)}]`).join('')}`;

/** Whether a condition is one of those that the filter joins with `and`. */
export const hasCondition = (filter: string, condition: string): boolean => parts(filter).includes(condition);

/** Adds a condition to a filter. */
export function addCondition(filter: string, condition: string): string {
  const before = parts(filter);
  return before.includes(condition) ? filter : [...before.map(protect), condition].join(' and ');
}

/**
 * Adds a condition to a filter, or removes it if the filter has it. The opposite condition is removed, because nothing
 * matches both.
 */
export function toggleCondition(filter: string, choice: Choice, isExcluded: boolean): string {
  const condition = writeCondition(choice, isExcluded);
  const opposite = writeCondition(choice, !isExcluded);
  const before = parts(filter);
  const kept = before.filter((part) => part !== condition && part !== opposite);
  return (before.includes(condition) ? kept : [...kept.map(protect), condition]).join(' and ');
}

interface Split {
  readonly parts: readonly string[];
  /** Whether `or` is outside of brackets. The filter is then one part. */
  readonly hasOr: boolean;
}

const parts = (filter: string): readonly string[] => split(filter).parts;

/** Splits a filter at each `and` outside of quotes and brackets. */
function split(filter: string): Split {
  const found: string[] = [];
  let depth = 0;
  let quoted = '';
  let start = 0;
  for (let at = 0; at < filter.length; at++) {
    const char = filter.charAt(at);
    if (quoted !== '') {
      if (char === '\\') at++;
      else if (char === quoted) quoted = '';
    } else if (char === "'" || char === '"') quoted = char;
    else if (char === '(' || char === '[') depth++;
    else if (char === ')' || char === ']') depth--;
    else if (depth === 0 && /^\sor\s/.test(filter.slice(at, at + 4))) {
      return { parts: [filter.trim()], hasOr: true };
    } else if (depth === 0 && /^\sand\s/.test(filter.slice(at, at + 5))) {
      found.push(filter.slice(start, at).trim());
      start = at + 5;
      at += 4;
    }
  }
  const last = filter.slice(start).trim();
  return { parts: last === '' ? found : [...found, last], hasOr: false };
}

/** Adds brackets if joining would change the meaning of a part. */
const protect = (part: string): string => (split(part).hasOr ? `(${part})` : part);
