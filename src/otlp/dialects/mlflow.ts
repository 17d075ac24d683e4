import type { ExactJson } from '../../base/exact-json.ts';
import type { SpanKind } from '../../semconv/span-kinds.ts';
import type { Dialect } from './dialect.ts';
import { toolSchema } from './gen-ai.ts';
import { providerOf } from './provider.ts';
import { readDocuments } from './read-documents.ts';
import { readUsage, readValues } from './read-values.ts';
import { fieldOf, type SpanView, textIn } from './span-view.ts';

const KINDS: Readonly<Record<string, SpanKind>> = {
  LLM: 'LLM',
  CHAT_MODEL: 'LLM',
  CHAIN: 'CHAIN',
  AGENT: 'AGENT',
  TOOL: 'TOOL',
  RETRIEVER: 'RETRIEVER',
  EMBEDDING: 'EMBEDDING',
  RERANKER: 'RERANKER',
  GUARDRAIL: 'GUARDRAIL',
  EVALUATOR: 'EVALUATOR',
};

/** Spans of MLflow, whose attributes are JSON text, texts included. */
export const MLFLOW: Dialect = {
  name: 'mlflow',
  prefixes: ['mlflow.'],
  kindOf,
  translate(span, kind) {
    const input = span.json('mlflow.spanInputs');
    const output = span.json('mlflow.spanOutputs');
    const tools = span.json('mlflow.chat.tools');
    return {
      model:
        jsonText(span, 'mlflow.llm.model') ??
        (kind === 'LLM' ? (textIn(output, 'model') ?? textIn(input, 'model')) : undefined),
      ...providerOf(jsonText(span, 'mlflow.llm.provider')),
      ...readValues(kind, input, output),
      finishReason: kind === 'LLM' ? finishReasonOf(output) : undefined,
      ...(kind === 'TOOL' ? { tool: { name: jsonText(span, 'mlflow.spanFunctionName'), parameters: input } } : {}),
      ...(kind === 'RETRIEVER' ? { documents: readDocuments(output) } : {}),
      ...(Array.isArray(tools) ? { tools: tools.map(toolSchema) } : {}),
      tokens: kind === 'LLM' || kind === 'EMBEDDING' ? tokensOf(span, output) : undefined,
      sessionId: jsonText(span, 'mlflow.trace.session', 'mlflow.sessionId'),
      userId: jsonText(span, 'mlflow.trace.user', 'mlflow.user'),
    };
  },
};

/** The response of the vendor has the cached tokens, which older versions of MLflow do not report themselves. */
function tokensOf(span: SpanView, output: ExactJson | undefined) {
  const reported = readUsage(span.json('mlflow.chat.tokenUsage'));
  const ofResponse = readUsage(fieldOf(output, 'usage'));
  return reported === undefined && ofResponse === undefined ? undefined : { ...ofResponse, ...defined(reported) };
}

/** In the response of the vendor. */
function finishReasonOf(output: ExactJson | undefined): string | undefined {
  const choices = fieldOf(output, 'choices');
  return Array.isArray(choices) ? textIn(choices[0], 'finish_reason') : textIn(output, 'stop_reason');
}

const defined = (counts: object | undefined): object =>
  Object.fromEntries(Object.entries(counts ?? {}).filter(([, count]) => count !== undefined));

function kindOf(span: SpanView): SpanKind | undefined {
  const type = jsonText(span, 'mlflow.spanType')?.toUpperCase();
  if (type === undefined) return undefined;
  return Object.hasOwn(KINDS, type) ? KINDS[type] : 'CHAIN';
}

function jsonText(span: SpanView, ...keys: string[]): string | undefined {
  const value = span.json(...keys);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
