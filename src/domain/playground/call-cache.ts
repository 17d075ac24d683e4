import type { ChatMessage, ChatResponse, SentRequest } from '../../llm/contract/chat-model.ts';

/** A successful call as it was made. */
export interface CachedCall {
  readonly response: ChatResponse;
  readonly sent: SentRequest;
}

/** Calls of one model and one repetition by their messages. */
export interface CallCache {
  find(messages: readonly ChatMessage[]): Promise<CachedCall | undefined>;
  add(messages: readonly ChatMessage[], call: CachedCall): Promise<void>;
}
