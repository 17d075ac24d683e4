/** Fields of a filter, and examples of common filters. */
export interface Suggestion {
  readonly text: string;
  readonly meaning: string;
  /** Whether it replaces the whole text. */
  readonly isWhole?: boolean;
}

const SPAN_SNIPPETS: readonly Suggestion[] = [
  { text: 'error_in_trace', meaning: 'an error in any span of the trace', isWhole: true },
  { text: "status_code == 'ERROR'", meaning: 'spans with errors of their own', isWhole: true },
  { text: "span_kind == 'LLM'", meaning: 'model calls', isWhole: true },
  { text: 'latency_ms > 2000', meaning: 'slower than two seconds', isWhole: true },
  { text: "'refund' in input.value", meaning: 'text in the input', isWhole: true },
  { text: "metadata['topic'] == 'billing'", meaning: 'value of a metadata key', isWhole: true },
];

const SPAN_FIELDS: readonly Suggestion[] = [
  { text: 'name', meaning: 'span name' },
  { text: 'span_kind', meaning: 'LLM, TOOL, AGENT, CHAIN, RETRIEVER …' },
  { text: 'status_code', meaning: 'own status: OK, ERROR or UNSET' },
  { text: 'error_in_trace', meaning: 'whether any span of the trace has failed' },
  { text: 'status_message', meaning: 'error message' },
  { text: 'latency_ms', meaning: 'latency in milliseconds' },
  { text: 'start_time', meaning: 'start time' },
  { text: 'end_time', meaning: 'end time' },
  { text: 'parent_id', meaning: 'parent span ID; None for a root span' },
  { text: 'span_id', meaning: 'span ID' },
  { text: 'trace_id', meaning: 'trace ID' },
  { text: 'input.value', meaning: 'input' },
  { text: 'output.value', meaning: 'output' },
  { text: 'session.id', meaning: 'session ID' },
  { text: 'user.id', meaning: 'user ID' },
  { text: 'llm.model_name', meaning: 'model name' },
  { text: 'llm.provider', meaning: 'model provider' },
  { text: 'llm.token_count.total', meaning: 'total tokens' },
  { text: 'llm.token_count.prompt', meaning: 'prompt tokens' },
  { text: 'llm.token_count.completion', meaning: 'completion tokens' },
  { text: 'cumulative_token_count.total', meaning: 'tokens, including descendants' },
  { text: 'tool.name', meaning: 'tool name' },
  { text: 'retrieval.documents[0].document.score', meaning: 'score of the first document' },
  { text: 'metadata[', meaning: "metadata key: metadata['key']" },
  { text: 'attributes[', meaning: "any attribute: attributes['a']['b']" },
];

const SESSION_SNIPPETS: readonly Suggestion[] = [
  { text: 'num_traces > 5', meaning: 'long conversations', isWhole: true },
  { text: "'refund' in any_input", meaning: 'text in any input', isWhole: true },
];

const RUN_SNIPPETS: readonly Suggestion[] = [
  { text: 'latency_ms > 2000', meaning: 'slower than two seconds', isWhole: true },
  { text: 'error is not None', meaning: 'runs with errors', isWhole: true },
  { text: "evals['correctness'].score < 0.5", meaning: 'a low score', isWhole: true },
  {
    text: 'experiments[0].latency_ms < experiments[1].latency_ms',
    meaning: 'the baseline is faster than B',
    isWhole: true,
  },
  { text: "metadata['topic'] == 'billing'", meaning: 'metadata of the example', isWhole: true },
];

const RUN_FIELDS: readonly Suggestion[] = [
  { text: 'input', meaning: 'input of the example' },
  { text: 'reference_output', meaning: 'reference output of the example' },
  { text: 'metadata[', meaning: "metadata of the example: metadata['key']" },
  { text: 'output', meaning: 'output of any run' },
  { text: 'error', meaning: 'error of any run' },
  { text: 'latency_ms', meaning: 'latency in milliseconds' },
  { text: 'evals[', meaning: "a score: evals['name'].score, .label or .explanation" },
  { text: 'experiments[0]', meaning: 'the baseline: experiments[0].latency_ms' },
  { text: 'experiments[1]', meaning: 'the experiment B' },
];

/** Static vocabulary. The server adds the fields of sessions. */
export const SUGGESTIONS: Readonly<Record<'span' | 'session' | 'run', Vocabulary>> = {
  span: { snippets: SPAN_SNIPPETS, fields: SPAN_FIELDS, elements: [] },
  session: { snippets: SESSION_SNIPPETS, fields: [], elements: [] },
  run: { snippets: RUN_SNIPPETS, fields: RUN_FIELDS, elements: [] },
};

export interface Vocabulary {
  readonly snippets: readonly Suggestion[];
  readonly fields: readonly Suggestion[];
  /** Elements of a comprehension, such as `name` in `any(s.name == 'a' for s in spans)`. */
  readonly elements: readonly Suggestion[];
}

/** The incomplete name before the caret, including its keys in brackets. */
const WORD = /[A-Za-z_][\w.]*(?:\[(['"])(?:(?!\1).)*\1\])*(?:\[(?:(['"])(?:(?!\2).)*(?:\2(?:\](?:\.\w*)?)?)?)?)?$/;
const ELEMENT = /^([A-Za-z_]\w*)\.(\w*)$/;
/** Number of fields that are suggested for an empty filter. */
const BROWSED_COUNT = 30;

/** Suggestions for the caret: whole filters for an empty text, or names that start with or contain the typed text. */
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

/** Replaces the incomplete name before the caret by a suggestion. */
export function complete(text: string, caret: number, { text: added, isWhole }: Suggestion): string {
  if (isWhole) return added;
  const before = text.slice(0, caret).replace(WORD, '');
  return `${before}${added}${text.slice(caret)}`;
}

const isInsideQuotes = (text: string): boolean =>
  (text.match(/'/g) ?? []).length % 2 === 1 || (text.match(/"/g) ?? []).length % 2 === 1;
