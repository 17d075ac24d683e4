import type { SpanKind } from '../../semconv/span-kinds.ts';
import type { Dialect } from './dialect.ts';
import { readValues, toMetadata } from './read-values.ts';
import { type SpanView, textIn } from './span-view.ts';

const KINDS: Readonly<Record<string, SpanKind>> = {
  agent_run: 'AGENT',
  model_generation: 'LLM',
  llm_generation: 'LLM',
  model_inference: 'LLM',
  tool_call: 'TOOL',
  mcp_tool_call: 'TOOL',
  rag_embedding: 'EMBEDDING',
  scorer_run: 'EVALUATOR',
};

/** Spans of Mastra's exporter for OpenTelemetry, which names attributes after the type of the span: `mastra.agent_run.input`. */
export const MASTRA: Dialect = {
  name: 'mastra',
  prefixes: ['mastra.'],
  kindOf(span) {
    const type = span.text('mastra.span.type');
    if (type === undefined) return undefined;
    // Since the requests have spans of their own, it is all steps of an agent together.
    if (type === 'model_generation' && !span.has('gen_ai.request.model')) return 'CHAIN';
    return Object.hasOwn(KINDS, type) ? KINDS[type] : 'CHAIN';
  },
  translate(span, kind) {
    const type = span.text('mastra.span.type') ?? '';
    const input = span.value(`mastra.${type}.input`, 'mastra.input');
    const output = span.json(`mastra.${type}.output`, 'mastra.output');
    const answer = kind === 'LLM' || kind === 'TOOL' ? undefined : textIn(output, 'text');
    return {
      ...readValues(kind, input, answer ?? output),
      ...(kind === 'TOOL' ? { tool: { name: toolName(span), parameters: input } } : {}),
      sessionId: span.text('mastra.metadata.sessionId', 'mastra.metadata.threadId'),
      userId: span.text('mastra.metadata.userId', 'mastra.metadata.resourceId'),
      metadata: toMetadata(span.below('mastra.metadata.')),
    };
  },
};

const toolName = (span: SpanView): string | undefined =>
  span.text('gen_ai.tool.name', 'mastra.tool.name', 'mastra.entity.name');
