import { isJsonObject } from '../../base/exact-json.ts';
import type { SpanKind } from '../../semconv/span-kinds.ts';
import type { Dialect } from './dialect.ts';
import { readDocuments } from './read-documents.ts';
import { argumentsOf, readUsage, readValues, toMetadata } from './read-values.ts';
import { fieldOf, numberOf, type SpanView, stringsOf, textIn, unquoted } from './span-view.ts';

const KINDS: Readonly<Record<string, SpanKind>> = {
  generation: 'LLM',
  agent: 'AGENT',
  tool: 'TOOL',
  chain: 'CHAIN',
  span: 'CHAIN',
  event: 'CHAIN',
  retriever: 'RETRIEVER',
  embedding: 'EMBEDDING',
  evaluator: 'EVALUATOR',
  guardrail: 'GUARDRAIL',
};

/** Observations of the Langfuse SDKs that export over OTLP. */
export const LANGFUSE: Dialect = {
  name: 'langfuse',
  prefixes: ['langfuse.'],
  kindOf,
  translate(span, kind) {
    const parameters = span.json('langfuse.observation.model.parameters');
    const input = span.value('langfuse.observation.input', 'langfuse.trace.input');
    const output = span.value('langfuse.observation.output', 'langfuse.trace.output');
    const metadata = new Map(
      [...span.below('langfuse.trace.metadata.'), ...span.below('langfuse.observation.metadata.')].map(
        ([key, value]) => [key, unquoted(value)] as const,
      ),
    );
    return {
      model: span.text('langfuse.observation.model.name', 'langfuse.observation.model'),
      parameters: isJsonObject(parameters) ? parameters : undefined,
      ...readValues(kind, input, output),
      ...(kind === 'TOOL' ? { tool: { parameters: input && argumentsOf(input) } } : {}),
      ...(kind === 'RETRIEVER' ? { documents: readDocuments(output) } : {}),
      tokens: readUsage(span.json('langfuse.observation.usage_details', 'langfuse.observation.usage')),
      cost: numberOf(fieldOf(span.json('langfuse.observation.cost_details'), 'total')),
      sessionId: span.text('langfuse.session.id'),
      userId: span.text('langfuse.user.id'),
      promptName: span.text('langfuse.observation.prompt.name'),
      tags: stringsOf(span.value('langfuse.trace.tags')),
      finishReason: textIn(Object.fromEntries(metadata), 'finish_reason'),
      metadata: toMetadata(metadata),
    };
  },
};

function kindOf(span: SpanView): SpanKind | undefined {
  const type = span.text('langfuse.observation.type')?.toLowerCase();
  if (type === undefined) return span.has('langfuse.observation.model.name') ? 'LLM' : undefined;
  return Object.hasOwn(KINDS, type) ? KINDS[type] : 'CHAIN';
}
