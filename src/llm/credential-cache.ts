import { createHash } from 'node:crypto';
import { MODEL_CREDENTIAL_COUNT_MAX } from '../model/limits/model-calls.ts';
import type { ModelConnection } from './contract/model-target.ts';

/** Credentials of clouds that renew their tokens, by connection. The least recently used one is evicted. */
export class CredentialCache {
  readonly #entries = new Map<string, unknown>();

  /** Returns what `open` has returned for an equal connection. The caller ensures that it has the same type. */
  get<Credential>(connection: ModelConnection, open: () => Credential): Credential {
    const key = createHash('sha256').update(JSON.stringify(connection)).digest('base64');
    const found = this.#entries.get(key) as Credential | undefined;
    const credential = found ?? open();
    this.#entries.delete(key);
    this.#entries.set(key, credential);
    if (this.#entries.size > MODEL_CREDENTIAL_COUNT_MAX) {
      for (const oldest of this.#entries.keys()) {
        this.#entries.delete(oldest);
        break;
      }
    }
    return credential;
  }
}
