import { randomUUID } from 'node:crypto';
import { MODEL_OUTPUT_CHARS_MAX, MODEL_TOOL_CALL_COUNT_MAX } from '../model/limits/model-calls.ts';
import type { ChatPiece, ChatToolCall } from './contract/chat-model.ts';
import { ModelError } from './contract/model-error.ts';

interface OpenToolCall {
  readonly id: string;
  name: string;
  readonly parts: string[];
}

/**
 * Gathers a response of bounded size and passes its parts on as they arrive. Protocols use it for streamed and for whole responses, so that both
 * have the same result.
 */
export class OutputCollector {
  readonly #onPiece: (piece: ChatPiece) => void;
  readonly #texts: string[] = [];
  readonly #reasonings: string[] = [];
  readonly #toolCalls: OpenToolCall[] = [];
  #charCount = 0;

  constructor(onPiece: (piece: ChatPiece) => void) {
    this.#onPiece = onPiece;
  }

  get text(): string {
    return this.#texts.join('');
  }

  get reasoning(): string {
    return this.#reasonings.join('');
  }

  get toolCalls(): ChatToolCall[] {
    return this.#toolCalls.map(({ id, name, parts }) => ({ id, name, arguments: parts.join('') }));
  }

  get isEmpty(): boolean {
    return this.#charCount === 0 && this.#toolCalls.length === 0;
  }

  /** @throws {ModelError} when the response is too large, as all methods that add to it */
  addText(text: string): void {
    if (text === '') return;
    this.#count(text);
    this.#texts.push(text);
    this.#onPiece({ type: 'text', text });
  }

  addReasoning(text: string): void {
    if (text === '') return;
    this.#count(text);
    this.#reasonings.push(text);
    this.#onPiece({ type: 'reasoning', text });
  }

  /** Begins a tool call and returns its index. A call without an id gets one. */
  beginToolCall(id: string, name: string): number {
    if (this.#toolCalls.length >= MODEL_TOOL_CALL_COUNT_MAX) throw tooLarge();
    this.#count(name);
    return this.#toolCalls.push({ id: id === '' ? `call_${randomUUID()}` : id, name, parts: [] }) - 1;
  }

  /** Adds the next part of the arguments, also an empty one, which announces the call. */
  addArguments(index: number, part: string, name = ''): void {
    const call = this.#toolCalls[index];
    if (call === undefined) return;
    this.#count(part);
    if (call.name === '') call.name = name;
    if (part !== '') call.parts.push(part);
    this.#onPiece({ type: 'toolCall', index, id: call.id, name: call.name, arguments: part });
  }

  addToolCall(id: string, name: string, args: string): void {
    this.addArguments(this.beginToolCall(id, name), args);
  }

  #count(text: string): void {
    this.#charCount += text.length;
    if (this.#charCount > MODEL_OUTPUT_CHARS_MAX) throw tooLarge();
  }
}

const tooLarge = (): ModelError => new ModelError('unreadable', 'The response of the model is too large.');
