/** What a filter can speak of, and how a filter that people often want is written. */
export interface Suggestion {
  readonly text: string;
  readonly meaning: string;
  /** Put in place of the whole text. */
  readonly isWhole?: boolean;
}

const SPAN_SNIPPETS: readonly Suggestion[] = [
  { text: "status_code == 'ERROR'", meaning: 'what failed', isWhole: true },
  { text: "span_kind == 'LLM'", meaning: 'calls of models', isWhole: true },
  { text: 'latency_ms > 2000', meaning: 'what took more than two seconds', isWhole: true },
  { text: "'refund' in input.value", meaning: 'words in the input', isWhole: true },
  { text: "metadata['topic'] == 'billing'", meaning: 'a key of the metadata', isWhole: true },
];

const SPAN_FIELDS: readonly Suggestion[] = [
  { text: 'name', meaning: 'name of the span' },
  { text: 'span_kind', meaning: 'LLM, TOOL, AGENT, CHAIN, RETRIEVER …' },
  { text: 'status_code', meaning: 'OK, ERROR or UNSET' },
  { text: 'status_message', meaning: 'why it failed' },
  { text: 'latency_ms', meaning: 'milliseconds' },
  { text: 'start_time', meaning: 'when it started' },
  { text: 'end_time', meaning: 'when it ended' },
  { text: 'parent_id', meaning: 'None for a root' },
  { text: 'span_id', meaning: 'id of the span' },
  { text: 'trace_id', meaning: 'id of its trace' },
  { text: 'input.value', meaning: 'its input' },
  { text: 'output.value', meaning: 'its output' },
  { text: 'session.id', meaning: 'the session that it is of' },
  { text: 'user.id', meaning: 'the user that it is of' },
  { text: 'llm.model_name', meaning: 'model' },
  { text: 'llm.provider', meaning: 'provider of the model' },
  { text: 'llm.token_count.total', meaning: 'tokens' },
  { text: 'llm.token_count.prompt', meaning: 'tokens of the prompt' },
  { text: 'llm.token_count.completion', meaning: 'tokens of the completion' },
  { text: 'cumulative_token_count.total', meaning: 'tokens, with what is below' },
  { text: 'tool.name', meaning: 'name of the tool' },
  { text: 'retrieval.documents[0].document.score', meaning: 'score of the first document' },
  { text: 'metadata[', meaning: "a key of the metadata: metadata['key']" },
  { text: 'attributes[', meaning: "any attribute: attributes['a']['b']" },
];

const SESSION_SNIPPETS: readonly Suggestion[] = [
  { text: 'num_traces > 5', meaning: 'long conversations', isWhole: true },
  { text: "'refund' in any_input", meaning: 'words that somebody said', isWhole: true },
];

/** What is known without asking; what sessions have, the server tells. */
export const SUGGESTIONS: Readonly<Record<'span' | 'session', Vocabulary>> = {
  span: { snippets: SPAN_SNIPPETS, fields: SPAN_FIELDS, elements: [] },
  session: { snippets: SESSION_SNIPPETS, fields: [], elements: [] },
};

export interface Vocabulary {
  readonly snippets: readonly Suggestion[];
  readonly fields: readonly Suggestion[];
  /** Of what a comprehension goes through, as `name` in `any(s.name == 'a' for s in spans)`. */
  readonly elements: readonly Suggestion[];
}

/** The incomplete name before the caret, including its keys in brackets. */
const WORD = /[A-Za-z_][\w.]*(?:\[(['"])(?:(?!\1).)*\1\])*(?:\[(?:(['"])(?:(?!\2).)*(?:\2(?:\](?:\.\w*)?)?)?)?)?$/;
const ELEMENT = /^([A-Za-z_]\w*)\.(\w*)$/;
/** So many fields are offered to who has typed nothing yet. */
const BROWSED_COUNT = 30;

/** What may come next: whole filters while there is none, names that begin or go on as typed. */
export function suggest(
  { snippets, fields, elements }: Vocabulary,
  text: string,
  caret: number,
): readonly Suggestion[] {
  if (text.trim() === '') return [...snippets, ...fields.slice(0, BROWSED_COUNT)];
  const before = text.slice(0, caret);
  const word = WORD.exec(before)?.[0].toLowerCase();
  if (word === undefined || isInsideQuotes(before.slice(0, -word.length))) return [];
  const found = fields.filter((field) => field.text.toLowerCase().includes(word) && field.text.toLowerCase() !== word);
  const named = [...found].sort((a, b) => Number(startsWith(b, word)) - Number(startsWith(a, word)));
  const [, variable, part = ''] = ELEMENT.exec(word) ?? [];
  if (variable === undefined || named.length > 0) return named;
  return elements
    .filter((element) => startsWith(element, part) && element.text !== part)
    .map((element) => ({ ...element, text: `${variable}.${element.text}` }));
}

const startsWith = ({ text }: Suggestion, word: string): boolean => text.toLowerCase().startsWith(word);

/** The text with a suggestion in place of what was being typed. */
export function complete(text: string, caret: number, { text: added, isWhole }: Suggestion): string {
  if (isWhole) return added;
  const before = text.slice(0, caret).replace(WORD, '');
  return `${before}${added}${text.slice(caret)}`;
}

const isInsideQuotes = (text: string): boolean =>
  (text.match(/'/g) ?? []).length % 2 === 1 || (text.match(/"/g) ?? []).length % 2 === 1;
