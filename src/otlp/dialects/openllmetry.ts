import { type ExactJson, isJsonObject } from '../../base/exact-json.ts';
import type { SpanKind } from '../../semconv/span-kinds.ts';
import type { Dialect } from './dialect.ts';
import { readDocuments } from './read-documents.ts';
import { argumentsOf, readValues, toMetadata } from './read-values.ts';
import { asText, fieldOf, parseIfJson, type SpanView, textIn } from './span-view.ts';

const KINDS: Readonly<Record<string, SpanKind>> = { workflow: 'CHAIN', task: 'CHAIN', agent: 'AGENT', tool: 'TOOL' };
const KINDS_OF_REQUEST: Readonly<Record<string, SpanKind>> = {
  chat: 'LLM',
  completion: 'LLM',
  embedding: 'EMBEDDING',
  rerank: 'RERANKER',
};

/** `traceloop` attributes of OpenLLMetry. Its model calls have `gen_ai` attributes. */
export const OPENLLMETRY: Dialect = {
  name: 'openllmetry',
  prefixes: ['traceloop.', 'llm.request.type'],
  kindOf,
  translate(span, kind) {
    const properties = span.below('traceloop.association.properties.');
    const property = (...names: string[]) => {
      for (const name of names) {
        const value = properties.get(name);
        if (value !== undefined) return asText(value);
      }
      return undefined;
    };
    const given = insideCallback(span.value('traceloop.entity.input'), 'inputs');
    const output = insideCallback(span.value('traceloop.entity.output'), 'outputs', 'output');
    const name = span.text('traceloop.entity.name');
    return {
      ...readValues(kind, given, output),
      ...(kind === 'TOOL' ? { tool: { name, parameters: given && argumentsOf(given) } } : {}),
      ...(kind === 'AGENT' ? { agentName: name } : {}),
      ...(kind === 'RETRIEVER' ? { documents: readDocuments(output) } : {}),
      sessionId: property('session_id', 'thread_id', 'conversation_id', 'chat_id'),
      userId: property('user_id') ?? span.text('llm.user'),
      metadata: toMetadata(properties),
    };
  },
};

/** The value among the arguments of a callback of LangChain, which are sent together. The message of a tool becomes its text. */
function insideCallback(sent: ExactJson | undefined, ...names: string[]): ExactJson | undefined {
  const value = sent === undefined ? undefined : parseIfJson(sent);
  if (!isJsonObject(value) || !isJsonObject(value.kwargs)) return sent;
  const inside = fieldOf(value, ...names);
  return textIn(fieldOf(inside, 'kwargs'), 'content') ?? inside ?? sent;
}

function kindOf(span: SpanView): SpanKind | undefined {
  const kind = span.text('traceloop.span.kind');
  if (kind !== undefined) return Object.hasOwn(KINDS, kind) ? KINDS[kind] : 'CHAIN';
  const request = span.text('llm.request.type');
  return request !== undefined && Object.hasOwn(KINDS_OF_REQUEST, request) ? KINDS_OF_REQUEST[request] : undefined;
}
