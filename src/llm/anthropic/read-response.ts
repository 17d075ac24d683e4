import { type ExactJson, type ExactJsonObject, toExactJsonText } from '../../base/exact-json.ts';
import { parseExactJson } from '../../base/parse-exact-json.ts';
import { MODEL_RESPONSE_DEPTH_MAX } from '../../model/limits/model-calls.ts';
import type { CallOptions, ChatResponse, TokenUsage } from '../contract/chat-model.ts';
import { readEventData } from '../event-data.ts';
import { OutputCollector } from '../output-collector.ts';
import { asObject, asText, asTokenCount, definedFields, type Received, sumOfTokens } from '../read-values.ts';
import { cutOff, unreadable } from '../response-error.ts';

const LIMITS = { depthMax: MODEL_RESPONSE_DEPTH_MAX };

/** Reads a whole message. */
export function readMessage(text: string, onPiece: CallOptions['onPiece']): ChatResponse {
  const message = asObject(parseExactJson(text, LIMITS));
  if (!Array.isArray(message.content)) throw unreadable('it has no content');
  const output = new OutputCollector(onPiece);
  for (const block of message.content.map(asObject)) {
    if (block.type === 'text') output.addText(asText(block.text));
    if (block.type === 'thinking') output.addReasoning(asText(block.thinking));
    if (block.type === 'tool_use') {
      const input = toExactJsonText((block.input ?? {}) as ExactJson);
      output.addToolCall(asText(block.id), asText(block.name), input);
    }
  }
  return toResponse(output, message, text);
}

/** Reads the events of a message. Throws `onError` of an error event. */
export async function readMessageEvents(
  response: Response,
  onPiece: CallOptions['onPiece'],
  toError: (event: Received) => Error,
): Promise<ChatResponse> {
  const reader = new MessageReader(onPiece);
  // Reads on after the last event, because a connection is used again only after its response has ended.
  let isComplete = false;
  await readEventData(response, (data) => {
    const event = asObject(JSON.parse(data));
    if (event.type === 'error') throw toError(event);
    if (event.type === 'message_stop') isComplete = true;
    reader.read(event);
  });
  return reader.end(isComplete);
}

/** A block as it arrives. Deltas of texts are collected, and set at its end. */
interface OpenBlock {
  readonly block: Received;
  readonly deltas: Map<string, string[]>;
  /** Index of its tool call. */
  readonly callIndex: number | undefined;
}

class MessageReader {
  readonly #output: OutputCollector;
  readonly #blocks = new Map<number, OpenBlock>();
  #message: Received | undefined;

  constructor(onPiece: CallOptions['onPiece']) {
    this.#output = new OutputCollector(onPiece);
  }

  read(event: Received): void {
    switch (event.type) {
      case 'message_start':
        this.#message = { ...asObject(event.message) };
        return;
      case 'content_block_start':
        this.#start(Number(event.index), asObject(event.content_block));
        return;
      case 'content_block_delta':
        this.#addDelta(Number(event.index), asObject(event.delta));
        return;
      case 'content_block_stop':
        this.#stop(Number(event.index));
        return;
      case 'message_delta':
        if (this.#message === undefined) throw unreadable('it has no beginning');
        this.#message = {
          ...this.#message,
          ...asObject(event.delta),
          usage: { ...asObject(this.#message.usage), ...withoutNulls(asObject(event.usage)) },
        };
    }
  }

  end(isComplete: boolean): ChatResponse {
    if (this.#message === undefined) throw unreadable('it has no beginning');
    if (!isComplete) throw cutOff();
    const message = { ...this.#message, content: [...this.#blocks.values()].map(toWholeBlock) };
    return toResponse(this.#output, message, toExactJsonText(message as ExactJsonObject));
  }

  #start(index: number, block: Received): void {
    let callIndex: number | undefined;
    if (block.type === 'tool_use') {
      callIndex = this.#output.beginToolCall(asText(block.id), asText(block.name));
      this.#output.addArguments(callIndex, '');
    }
    this.#blocks.set(index, { block, deltas: new Map(), callIndex });
    if (block.type === 'text') this.#addDelta(index, { type: 'text_delta', text: block.text ?? '' });
    if (block.type === 'thinking') this.#addDelta(index, { type: 'thinking_delta', thinking: block.thinking ?? '' });
  }

  /** A call without arguments has no delta. */
  #stop(index: number): void {
    const { callIndex, deltas } = this.#blocks.get(index) ?? {};
    if (callIndex !== undefined && !deltas?.get('partial_json')?.some((text) => text !== '')) {
      this.#output.addArguments(callIndex, '{}');
    }
  }

  #addDelta(index: number, delta: Received): void {
    const open = this.#blocks.get(index);
    const [field, value] = toDeltaText(delta);
    if (open === undefined || field === undefined) return;
    const text = asText(value);
    const texts = open.deltas.get(field);
    if (texts) texts.push(text);
    else open.deltas.set(field, [text]);
    if (field === 'text') this.#output.addText(text);
    if (field === 'thinking') this.#output.addReasoning(text);
    if (field === 'partial_json' && open.callIndex !== undefined) this.#output.addArguments(open.callIndex, text);
  }
}

/** The field of a delta that has a text, and the text. */
function toDeltaText(delta: Received): readonly [field?: string, value?: unknown] {
  switch (delta.type) {
    case 'text_delta':
      return ['text', delta.text];
    case 'thinking_delta':
      return ['thinking', delta.thinking];
    case 'signature_delta':
      return ['signature', delta.signature];
    case 'input_json_delta':
      return ['partial_json', delta.partial_json];
    default:
      return [];
  }
}

function toWholeBlock({ block, deltas }: OpenBlock): Received {
  const whole: Record<string, unknown> = { ...block };
  for (const [field, texts] of deltas) {
    const text = texts.join('');
    if (field !== 'partial_json') Object.assign(whole, { [field]: text });
    else if (text !== '') whole.input = parseInput(text);
  }
  return whole;
}

/** Arguments as the model wrote them, which are no JSON if it stopped early. */
function parseInput(text: string): ExactJson {
  try {
    return parseExactJson(text, LIMITS);
  } catch {
    return text;
  }
}

const withoutNulls = (fields: Received): Received =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

function toResponse(output: OutputCollector, message: Received, text: string): ChatResponse {
  return {
    text: output.text,
    reasoning: output.reasoning,
    toolCalls: output.toolCalls,
    finishReason: asText(message.stop_reason) || null,
    usage: toUsage(asObject(message.usage)),
    output: { text, isJson: true },
  };
}

/** The vendor counts tokens that it reads from or writes to its cache apart. */
function toUsage(usage: Received): TokenUsage {
  const promptCacheWrite = asTokenCount(usage.cache_creation_input_tokens);
  const promptCacheRead = asTokenCount(usage.cache_read_input_tokens);
  return definedFields({
    prompt: sumOfTokens(asTokenCount(usage.input_tokens), promptCacheWrite, promptCacheRead),
    completion: asTokenCount(usage.output_tokens),
    promptCacheRead,
    promptCacheWrite,
  });
}
