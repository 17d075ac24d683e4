import type { ChatModel } from './chat-model.ts';
import type { ModelTarget } from './model-target.ts';

/** Opens models. Owns the connections to vendors, which all models share. */
export interface ChatModels {
  /** Opens nothing by itself: the first call connects, and loads the package of the vendor. */
  open(target: ModelTarget): ChatModel;
  /**
   * Whether the vendor accepts the credentials, by one cheap call of at most ten seconds. Null when it does, else the reason,
   * without credentials.
   */
  test(target: ModelTarget): Promise<string | null>;
  /** Closes all connections. Calls in flight reject with kind `stopped`. */
  close(): Promise<void>;
}
