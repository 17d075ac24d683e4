import { type ExactJson, isJsonObject } from '../../base/exact-json.ts';
import type { SpanKind } from '../../semconv/span-kinds.ts';
import type { Dialect } from './dialect.ts';
import { providerOf } from './provider.ts';
import { readDocuments } from './read-documents.ts';
import { readUsage, readValues, toMetadata } from './read-values.ts';
import { countOf, fieldOf, type SpanView, stringsOf, textIn } from './span-view.ts';

const KINDS: Readonly<Record<string, SpanKind>> = {
  llm: 'LLM',
  chat_model: 'LLM',
  chain: 'CHAIN',
  tool: 'TOOL',
  retriever: 'RETRIEVER',
  embedding: 'EMBEDDING',
  prompt: 'PROMPT',
  parser: 'CHAIN',
};

/** Runs that the LangSmith SDK exports over OTLP: `langsmith` attributes, with inputs and outputs under names of `gen_ai`. */
export const LANGSMITH: Dialect = {
  name: 'langsmith',
  prefixes: ['langsmith.'],
  kindOf,
  translate(span, kind) {
    const metadata = span.below('langsmith.metadata.');
    const text = (...keys: string[]) => span.text(...keys.map((key) => `langsmith.metadata.${key}`));
    const input = span.value('gen_ai.prompt');
    const output = resultOf(span.json('gen_ai.completion'));
    return {
      model: span.text('gen_ai.request.model') ?? text('ls_model_name'),
      ...providerOf(text('ls_provider')),
      ...readValues(kind, input, output),
      ...(kind === 'TOOL' ? { tool: { parameters: input } } : {}),
      ...(kind === 'RETRIEVER' ? { documents: readDocuments(output) } : {}),
      tokens: kind === 'LLM' ? tokensOf(span) : undefined,
      sessionId: text('session_id', 'thread_id', 'conversation_id'),
      userId: text('user_id'),
      tags: stringsOf(span.value('langsmith.span.tags'))?.flatMap((tags) => tags.split(/,\s*/)),
      metadata: toMetadata(metadata),
    };
  },
};

/** A value that is no object is sent as `{output}`, and so is the message of a tool. */
function resultOf(completion: ExactJson | undefined): ExactJson | undefined {
  if (!isJsonObject(completion) || Object.keys(completion).join() !== 'output') return completion;
  const output = fieldOf(completion, 'output');
  return textIn(output, 'content') ?? output;
}

function kindOf(span: SpanView): SpanKind | undefined {
  const kind = span.text('langsmith.span.kind')?.toLowerCase();
  if (kind === undefined) return undefined;
  return Object.hasOwn(KINDS, kind) ? KINDS[kind] : 'CHAIN';
}

/** Usage as one JSON value, or as an attribute for each member. */
function tokensOf(span: SpanView) {
  const name = 'langsmith.metadata.usage_metadata';
  const usage = span.json(name);
  const read = (path: string) => span.count(`${name}.${path}`) ?? countOf(fieldOf(usage, path));
  return {
    ...readUsage(usage),
    ...(usage === undefined
      ? {
          prompt: read('input_tokens') ?? span.count('gen_ai.usage.input_tokens'),
          completion: read('output_tokens') ?? span.count('gen_ai.usage.output_tokens'),
          total: read('total_tokens') ?? span.count('gen_ai.usage.total_tokens'),
          cacheRead: read('input_token_details.cache_read'),
          cacheWrite: read('input_token_details.cache_creation'),
          reasoning: read('output_token_details.reasoning'),
        }
      : {}),
  };
}
