/** Names of the text of a message, of an answer, or of a part of either. */
const TEXT_KEYS = ['content', 'text', 'answer', 'output', 'response', 'result'];

/**
 * The words of a JSON value on one line, without its syntax: the texts of messages, the one text of an object, or its fields as
 * `name: value`. Empty if there are none.
 */
export function wordsOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value).replaceAll(/\s+/g, ' ').trim();
  if (Array.isArray(value)) return joined(value.map(wordsOf), ', ');
  const fields = value as Readonly<Record<string, unknown>>;
  const { messages } = fields;
  if (Array.isArray(messages)) return joined(messages.map(messageWords), ' ');
  const filled = Object.entries(fields).filter(([, field]) => wordsOf(field) !== '');
  const [first] = filled;
  if (first && filled.length === 1 && (TEXT_KEYS.includes(first[0]) || typeof first[1] === 'string'))
    return wordsOf(first[1]);
  return joined(
    filled.map(([name, field]) => `${name}: ${wordsOf(field)}`),
    ', ',
  );
}

/** A message of a model: its text, or else the functions that it calls. */
function messageWords(message: unknown): string {
  const { content, tool_calls: calls } = (message ?? {}) as {
    readonly content?: unknown;
    readonly tool_calls?: unknown;
  };
  const text = wordsOf(content);
  if (text !== '' || !Array.isArray(calls)) return text;
  return joined(
    calls.map(({ function: called }) => `${called?.name ?? ''}(${wordsOf(called?.arguments)})`),
    ', ',
  );
}

const joined = (texts: readonly string[], separator: string): string =>
  texts.filter((text) => text !== '').join(separator);
