import type { TokenUsage } from '../../contract/chat-model.ts';
import type { OutputCollector } from '../../output-collector.ts';
import { asList, asObject, asText, type Received } from '../../read-values.ts';
import { readChatUsage } from './chat-usage.ts';
import { argumentsText, contentText, reasoningText } from './message-fields.ts';

/** Reads the chunks of a streamed chat completion. */
export class ChunkReader {
  finishReason: string | null = null;
  usage: TokenUsage = {};
  /** Whether any chunk was one of chat completions. */
  hasChunks = false;
  readonly #output: OutputCollector;
  /** Index in the output, by the index of the vendor, with the id that began the call. */
  readonly #calls = new Map<number, { readonly index: number; readonly id: string }>();

  constructor(output: OutputCollector) {
    this.#output = output;
  }

  /** A chunk without choices has the usage, or is Azure's first one. */
  read(chunk: Received): void {
    if (Array.isArray(chunk.choices)) this.hasChunks = true;
    // Some vendors repeat the usage in each chunk: the last one counts.
    if (chunk.usage) this.usage = readChatUsage(chunk.usage);
    for (const choice of asList(chunk.choices).map(asObject)) {
      // The first of several choices counts, as in a response that is not streamed.
      if (choice.index !== undefined && choice.index !== 0) continue;
      this.#readDelta(asObject(choice.delta ?? choice.message));
      this.finishReason = asText(choice.finish_reason) || this.finishReason;
    }
  }

  #readDelta(delta: Received): void {
    this.#output.addReasoning(reasoningText(delta));
    this.#output.addText(contentText(delta));
    for (const [position, call] of asList(delta.tool_calls).map(asObject).entries()) this.#readCall(call, position);
  }

  #readCall(call: Received, position: number): void {
    const id = asText(call.id);
    const definition = asObject(call.type === 'custom' ? call.custom : (call.function ?? call.custom));
    const name = asText(definition.name);
    const vendorIndex = typeof call.index === 'number' ? call.index : position;
    let known = this.#calls.get(vendorIndex);
    // Some vendors send whole calls, all with the same index.
    if (known === undefined || (id !== '' && name !== '' && id !== known.id)) {
      known = { index: this.#output.beginToolCall(id, name), id };
      this.#calls.set(vendorIndex, known);
    }
    this.#output.addArguments(known.index, argumentsText(definition), name);
  }
}
