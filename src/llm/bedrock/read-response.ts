import type {
  ContentBlockDeltaEvent,
  ContentBlockStartEvent,
  ContentBlockStopEvent,
  ConverseStreamOutput,
} from '@aws-sdk/client-bedrock-runtime';
import { type ExactJson, toExactJsonText } from '../../base/exact-json.ts';
import { parseExactJson } from '../../base/parse-exact-json.ts';
import { MODEL_RESPONSE_DEPTH_MAX } from '../../model/limits/model-calls.ts';
import type { CallOptions, ChatResponse, TokenUsage } from '../contract/chat-model.ts';
import { OutputCollector } from '../output-collector.ts';
import { toOutputValue } from '../output-value.ts';
import { asObject, asText, asTokenCount, definedFields, type Received, sumOfTokens } from '../read-values.ts';
import { cutOff, unreadable } from '../response-error.ts';

/** Reads a whole response. */
export function readConverse(text: string, onPiece: CallOptions['onPiece']): ChatResponse {
  const response = asObject(parseExactJson(text, { depthMax: MODEL_RESPONSE_DEPTH_MAX }));
  const { content } = asObject(asObject(response.output).message);
  if (!Array.isArray(content)) throw unreadable('it has no message');
  const output = new OutputCollector(onPiece);
  for (const block of content.map(asObject)) {
    output.addReasoning(asText(asObject(asObject(block.reasoningContent).reasoningText).text));
    output.addText(asText(block.text));
    if (block.toolUse === undefined) continue;
    const { toolUseId, name, input } = asObject(block.toolUse);
    output.addToolCall(asText(toolUseId), asText(name), toExactJsonText((input ?? {}) as ExactJson));
  }
  return {
    ...read(output),
    finishReason: asText(response.stopReason) || null,
    usage: toUsage(asObject(response.usage)),
    output: { text, isJson: true },
  };
}

/** Reads the events of a response. A stream that was cut makes the package throw. */
export async function readConverseEvents(
  events: AsyncIterable<ConverseStreamOutput>,
  onPiece: CallOptions['onPiece'],
): Promise<ChatResponse> {
  const reader = new ConverseReader(onPiece);
  try {
    for await (const event of events) reader.read(event);
  } catch (error) {
    throw reader.hasBegun && error instanceof Error && /truncated/i.test(error.message) ? cutOff() : error;
  }
  return reader.end();
}

class ConverseReader {
  readonly #output: OutputCollector;
  readonly #callIndexes = new Map<number | undefined, number>();
  readonly #callsWithoutArguments = new Set<number>();
  #finishReason: string | undefined;
  #usage: TokenUsage = {};
  hasBegun = false;

  constructor(onPiece: CallOptions['onPiece']) {
    this.#output = new OutputCollector(onPiece);
  }

  read({
    messageStart,
    contentBlockStart,
    contentBlockDelta,
    contentBlockStop,
    messageStop,
    metadata,
  }: ConverseStreamOutput) {
    if (messageStart) this.hasBegun = true;
    if (contentBlockStart) this.#start(contentBlockStart);
    if (contentBlockDelta) this.#addDelta(contentBlockDelta);
    if (contentBlockStop) this.#stop(contentBlockStop);
    if (messageStop) this.#finishReason = asText(messageStop.stopReason);
    if (metadata) this.#usage = toUsage(asObject(metadata.usage));
  }

  end(): ChatResponse {
    if (!this.hasBegun) throw unreadable('it has no beginning');
    if (this.#finishReason === undefined) throw cutOff();
    const { text, toolCalls } = this.#output;
    return {
      ...read(this.#output),
      finishReason: this.#finishReason || null,
      usage: this.#usage,
      output: toOutputValue(text, toolCalls),
    };
  }

  #start({ contentBlockIndex, start }: ContentBlockStartEvent): void {
    if (start?.toolUse === undefined) return;
    const index = this.#output.beginToolCall(asText(start.toolUse.toolUseId), asText(start.toolUse.name));
    this.#output.addArguments(index, '');
    this.#callIndexes.set(contentBlockIndex, index);
    this.#callsWithoutArguments.add(index);
  }

  #addDelta({ contentBlockIndex, delta }: ContentBlockDeltaEvent): void {
    this.#output.addReasoning(asText(delta?.reasoningContent?.text));
    this.#output.addText(asText(delta?.text));
    const index = this.#callIndexes.get(contentBlockIndex);
    const part = asText(delta?.toolUse?.input);
    if (index === undefined || part === '') return;
    this.#callsWithoutArguments.delete(index);
    this.#output.addArguments(index, part);
  }

  /** A call without arguments has no delta. */
  #stop({ contentBlockIndex }: ContentBlockStopEvent): void {
    const index = this.#callIndexes.get(contentBlockIndex);
    if (index !== undefined && this.#callsWithoutArguments.delete(index)) this.#output.addArguments(index, '{}');
  }
}

const read = ({ text, reasoning, toolCalls }: OutputCollector) => ({ text, reasoning, toolCalls });

/** The vendor counts tokens that it reads from or writes to its cache apart. */
function toUsage(usage: Received): TokenUsage {
  const promptCacheRead = asTokenCount(usage.cacheReadInputTokens);
  const promptCacheWrite = asTokenCount(usage.cacheWriteInputTokens);
  return definedFields({
    prompt: sumOfTokens(asTokenCount(usage.inputTokens), promptCacheRead, promptCacheWrite),
    completion: asTokenCount(usage.outputTokens),
    total: asTokenCount(usage.totalTokens),
    promptCacheRead,
    promptCacheWrite,
  });
}
