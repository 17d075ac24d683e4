import type { ModelProvider } from '../model/prompts/prompt-parameters.ts';
import type { CallOptions, ChatRequest, ChatResponse } from './contract/chat-model.ts';
import type { ModelConnection } from './contract/model-target.ts';
import type { CredentialCache } from './credential-cache.ts';
import type { VendorCall } from './transport/vendor-transport.ts';

/** What a file per wire protocol exports as `protocol`. It gets one call at a time and keeps nothing between calls. */
export interface Protocol<Connection extends ModelConnection> {
  /**
   * Calls `options.onSend` before it sends. Rejections need not be `ModelError`: the transport converts them. Errors that
   * arrive inside of a response are thrown as `ModelError`.
   */
  call(model: ProtocolModel<Connection>, request: ChatRequest, options: ProtocolCallOptions): Promise<ChatResponse>;
  /** Resolves when the vendor accepts the credentials. */
  test(model: ProtocolModel<Connection>, call: VendorCall): Promise<void>;
}

/** A model as protocols see it. */
export interface ProtocolModel<Connection extends ModelConnection> {
  readonly modelName: string;
  readonly modelProvider: ModelProvider;
  readonly connection: Connection;
  /** For credentials of clouds. */
  readonly credentials: CredentialCache;
}

export interface ProtocolCallOptions extends Pick<CallOptions, 'onPiece'> {
  readonly onSend: NonNullable<CallOptions['onSend']>;
  readonly call: VendorCall;
}

/** The connection of a type. */
export type ConnectionOf<Type extends ModelConnection['type']> = Extract<ModelConnection, { readonly type: Type }>;
