/** Names of the text of a message, of an answer, or of a part of either. */
const TEXT_KEYS = ['content', 'text', 'answer', 'output', 'response', 'result'];

/** Levels of a value whose words are shown. Models answer with objects of any depth. */
const DEPTH_MAX = 8;

/**
 * The words of a JSON value on one line, without its syntax: the texts of messages, the one text of an object, or its fields as
 * `name: value`. Empty if there are none. Deeper levels than `DEPTH_MAX` are `…`.
 */
export function wordsOf(value: unknown, depth = 0): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value).replaceAll(/\s+/g, ' ').trim();
  if (depth === DEPTH_MAX) return '…';
  const inner = (each: unknown) => wordsOf(each, depth + 1);
  if (Array.isArray(value)) return joined(value.map(inner), ', ');
  const fields = value as Readonly<Record<string, unknown>>;
  const { messages } = fields;
  if (Array.isArray(messages))
    return joined(
      messages.map((message) => messageWords(message, inner)),
      ' ',
    );
  const filled = Object.entries(fields)
    .map(([name, field]) => ({ name, words: inner(field), isText: typeof field === 'string' }))
    .filter(({ words }) => words !== '');
  const [first] = filled;
  if (first && filled.length === 1 && (first.isText || TEXT_KEYS.includes(first.name))) return first.words;
  return joined(
    filled.map(({ name, words }) => `${name}: ${words}`),
    ', ',
  );
}

/** A message of a model: its text, or else the functions that it calls. */
function messageWords(message: unknown, inner: (value: unknown) => string): string {
  const { content, tool_calls: calls } = (message ?? {}) as Readonly<Record<string, unknown>>;
  const text = inner(content);
  if (text !== '' || !Array.isArray(calls)) return text;
  return joined(
    calls.map((call: { readonly function?: { readonly name?: unknown; readonly arguments?: unknown } } | null) => {
      const { name, arguments: given } = call?.function ?? {};
      return `${inner(name)}(${inner(given)})`;
    }),
    ', ',
  );
}

const joined = (texts: readonly string[], separator: string): string =>
  texts.filter((text) => text !== '').join(separator);
