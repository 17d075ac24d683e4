import { ModelError } from '../../contract/model-error.ts';
import type { OutputCollector } from '../../output-collector.ts';
import { asObject, asText, type Received } from '../../read-values.ts';
import { toEventError } from '../../transport/vendor-error.ts';
import type { VendorCall } from '../../transport/vendor-transport.ts';
import { endedEarly } from '../read-events.ts';
import { addItems, isToolCall, type ResponseEnd, readEnd, toolInput } from './read-response.ts';

interface OpenCall {
  readonly index: number;
  /** Characters of the arguments that have arrived. */
  charCount: number;
}

/** Reads the events of a streamed response. */
export class EventReader {
  readonly #output: OutputCollector;
  readonly #call: VendorCall;
  /** Tool calls by the index of their item. */
  readonly #calls = new Map<unknown, OpenCall>();
  #response: Received | undefined;
  #hasEvents = false;

  constructor(output: OutputCollector, call: VendorCall) {
    this.#output = output;
    this.#call = call;
  }

  /** Returns whether the event has the whole response. */
  read(event: Received): boolean {
    const { type, output_index: index } = event;
    this.#hasEvents ||= asText(type).startsWith('response.');
    switch (type) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        this.#output.addText(asText(event.delta));
        return false;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        this.#output.addReasoning(asText(event.delta));
        return false;
      case 'response.output_item.added':
        this.#begin(index, asObject(event.item));
        return false;
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        this.#addArguments(this.#calls.get(index), asText(event.delta));
        return false;
      case 'response.output_item.done':
        this.#complete(index, asObject(event.item));
        return false;
      case 'response.completed':
      case 'response.incomplete':
        this.#response = asObject(event.response);
        return true;
      case 'response.failed':
        throw toEventError(asObject(event.response), this.#call.secrets);
      case 'error':
        throw toEventError(event, this.#call.secrets);
      default:
        return false;
    }
  }

  /** @throws {ModelError} when the stream ended before the response */
  end(): ResponseEnd & { readonly response: Received } {
    const response = this.#response;
    if (!this.#hasEvents) throw new ModelError('unreadable', 'The model endpoint sent no event of responses.');
    if (response === undefined) throw endedEarly();
    const end = readEnd(response, this.#call);
    // Some gateways send only the whole response.
    if (this.#output.isEmpty) addItems(response, this.#output);
    return { ...end, response };
  }

  #begin(itemIndex: unknown, item: Received): void {
    if (!isToolCall(item) || this.#calls.has(itemIndex)) return;
    const index = this.#output.beginToolCall(asText(item.call_id), asText(item.name));
    this.#calls.set(itemIndex, { index, charCount: 0 });
    this.#output.addArguments(index, '');
  }

  /** Adds what the parts of the arguments have left out, all of them if there were none. */
  #complete(itemIndex: unknown, item: Received): void {
    if (!isToolCall(item)) return;
    this.#begin(itemIndex, item);
    const call = this.#calls.get(itemIndex);
    this.#addArguments(call, toolInput(item).slice(call?.charCount ?? 0));
  }

  #addArguments(call: OpenCall | undefined, part: string): void {
    if (call === undefined || part === '') return;
    call.charCount += part.length;
    this.#output.addArguments(call.index, part);
  }
}
