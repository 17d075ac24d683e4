import { type CodeValue, linesOf, TemplateValue } from './code-value.ts';

/** Notation of a language. */
interface Notation {
  readonly literal: (value: string | number | boolean | null) => string;
  readonly key: (key: string) => string;
  readonly variable: (name: string) => string;
}

const STEP = '    ';

/** JSON text is also a text of Python and of TypeScript. Line separators are escaped, because editors break lines at them. */
const quote = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const PYTHON: Notation = {
  literal: (value) =>
    typeof value === 'string'
      ? quote(value)
      : value === null
        ? 'None'
        : value === true
          ? 'True'
          : value === false
            ? 'False'
            : String(value),
  key: quote,
  variable: (name) => `variables[${quote(name)}]`,
};

const TYPESCRIPT: Notation = {
  literal: (value) => (typeof value === 'string' ? quote(value) : String(value)),
  // A literal `__proto__` would set the prototype.
  key: (key) => (key === '__proto__' ? '["__proto__"]' : /^[A-Za-z_]\w*$/.test(key) ? key : quote(key)),
  variable: (name) => `variables[${quote(name)}]`,
};

export const printPython = (value: CodeValue, indent = ''): string => print(value, indent, PYTHON);
export const printTypeScript = (value: CodeValue, indent = ''): string => print(value, indent, TYPESCRIPT);

function print(value: CodeValue, indent: string, notation: Notation): string {
  if (value instanceof TemplateValue) return printTemplate(value, indent, notation);
  if (typeof value !== 'object' || value === null) return notation.literal(value);
  const inner = indent + STEP;
  const block = (open: string, items: readonly string[], close: string) =>
    items.length === 0
      ? open + close
      : `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`;
  if (value instanceof Map) {
    const items = [...(value as ReadonlyMap<string, CodeValue>)].map(
      ([key, item]) => `${notation.key(key)}: ${print(item, inner, notation)}`,
    );
    return block('{', items, '}');
  }
  return block(
    '[',
    (value as readonly CodeValue[]).map((item) => print(item, inner, notation)),
    ']',
  );
}

/** Several lines are a sum, which is inside of brackets in both languages. */
function printTemplate(value: TemplateValue, indent: string, notation: Notation): string {
  const parts = linesOf(value).map((part) =>
    'variable' in part ? notation.variable(part.variable) : quote(part.text),
  );
  if (parts.length === 0) return '""';
  const sum = parts.join(' + ');
  return sum.length <= 80 ? sum : parts.join(`\n${indent}${STEP}+ `);
}

/** JSON in single quotes of a shell, where variables are shell variables that are inserted into texts. */
export function printShell(value: CodeValue, names: ReadonlyMap<string, string>): string {
  return `'${shellJson(value, '', names)}'`;
}

const inQuotes = (json: string): string => json.replaceAll("'", "'\\''");

function shellJson(value: CodeValue, indent: string, names: ReadonlyMap<string, string>): string {
  if (value instanceof TemplateValue) {
    const parts = value.parts.map((part) =>
      'variable' in part ? `'"$${names.get(part.variable)}"'` : inQuotes(quote(part.text).slice(1, -1)),
    );
    return `"${parts.join('')}"`;
  }
  if (typeof value !== 'object' || value === null) return inQuotes(JSON.stringify(value));
  const inner = `${indent}  `;
  const block = (open: string, items: readonly string[], close: string) =>
    items.length === 0 ? open + close : `${open}\n${items.map((item) => inner + item).join(',\n')}\n${indent}${close}`;
  if (value instanceof Map) {
    const items = [...(value as ReadonlyMap<string, CodeValue>)].map(
      ([key, item]) => `${inQuotes(quote(key))}: ${shellJson(item, inner, names)}`,
    );
    return block('{', items, '}');
  }
  return block(
    '[',
    (value as readonly CodeValue[]).map((item) => shellJson(item, inner, names)),
    ']',
  );
}

/** A shell variable for each variable. The prefix keeps them apart from variables of the environment. */
export function shellNames(variables: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const used = new Set<string>();
  for (const variable of variables) {
    const base = `value_${variable.replace(/\W/g, '_')}`;
    let name = base;
    for (let count = 2; used.has(name); count++) name = `${base}_${count}`;
    used.add(name);
    names.set(variable, name);
  }
  return names;
}

/** A text in single quotes of a shell. */
export const shellQuote = (text: string): string => `'${inQuotes(text)}'`;
