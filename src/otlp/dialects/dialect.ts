import type { ExactJson, ExactJsonObject } from '../../base/exact-json.ts';
import type { SpanKind } from '../../semconv/span-kinds.ts';
import type { Message } from './message.ts';
import type { SpanView } from './span-view.ts';

/** A set of attribute names with which libraries describe calls of models, other than OpenInference. */
export interface Dialect {
  /** Name in `spandrel.dialects`. */
  readonly name: string;
  /** A span is in this dialect if it has an attribute with one of these prefixes. */
  readonly prefixes: readonly string[];
  /** Kind of the span by this dialect, if it states one. */
  readonly kindOf?: (span: SpanView) => SpanKind | undefined;
  /** @param kind as sent, or by the first dialect that states one */
  readonly translate: (span: SpanView, kind: SpanKind | undefined) => Translation;
}

/** What a dialect derives from a span besides its kind. A field that it does not know is absent. */
export interface Translation {
  /** A better name than the sent one, such as a message template with its values. */
  readonly name?: string | undefined;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  readonly system?: string | undefined;
  readonly parameters?: ExactJsonObject | undefined;
  readonly inputMessages?: readonly Message[] | undefined;
  readonly outputMessages?: readonly Message[] | undefined;
  /** JSON Schemas of the tools that the model may call, in the form of the vendor. */
  readonly tools?: readonly ExactJson[] | undefined;
  readonly input?: ExactJson | undefined;
  readonly output?: ExactJson | undefined;
  readonly tokens?: TokenCounts | undefined;
  /** US dollars, as reported by the sender. */
  readonly cost?: number | undefined;
  readonly finishReason?: string | readonly string[] | undefined;
  /** Milliseconds from the request to the first token of the response. */
  readonly firstTokenMs?: number | undefined;
  readonly sessionId?: string | undefined;
  readonly userId?: string | undefined;
  readonly metadata?: ExactJsonObject | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly agentName?: string | undefined;
  readonly promptName?: string | undefined;
  readonly tool?: ToolUse | undefined;
  readonly documents?: readonly Document[] | undefined;
}

/** Token counts. `prompt` contains the cached tokens, and `completion` the reasoning tokens. */
export interface TokenCounts {
  readonly prompt?: bigint | undefined;
  readonly completion?: bigint | undefined;
  readonly total?: bigint | undefined;
  readonly cacheRead?: bigint | undefined;
  readonly cacheWrite?: bigint | undefined;
  readonly promptAudio?: bigint | undefined;
  readonly completionAudio?: bigint | undefined;
  readonly reasoning?: bigint | undefined;
}

export interface ToolUse {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly id?: string | undefined;
  readonly parameters?: ExactJson | undefined;
}

export interface Document {
  readonly id?: string | undefined;
  readonly content?: string | undefined;
  readonly score?: number | undefined;
  readonly metadata?: ExactJson | undefined;
}
