import { createHash, type Hash } from 'node:crypto';
import { boundaryOf } from './datasets/read-multipart.ts';

/**
 * Hash of a body. Clients choose a random boundary for each request with a form, so the same form has the same hash with
 * any boundary.
 */
export class BodyHash {
  readonly #hash: Hash = createHash('sha256');
  readonly #boundary: Buffer | undefined;
  /** End of the received bytes, in which a boundary may have begun. */
  #rest: Buffer = Buffer.alloc(0);

  /** @param contentType Value of the header, if there is one. */
  constructor(contentType: string | undefined) {
    const boundary = boundaryOf(contentType ?? '');
    this.#boundary = boundary ? Buffer.from(`--${boundary}`, 'latin1') : undefined;
  }

  update(chunk: Uint8Array): void {
    if (this.#boundary === undefined) this.#hash.update(chunk);
    else this.#rest = this.#hashWithout(this.#boundary, Buffer.concat([this.#rest, chunk]));
  }

  digest(): Buffer {
    return this.#hash.update(this.#rest).digest();
  }

  /** Hashes all bytes that can be no part of a boundary, and returns the others. */
  #hashWithout(boundary: Buffer, bytes: Buffer): Buffer {
    let from = 0;
    for (let at = bytes.indexOf(boundary); at >= 0; at = bytes.indexOf(boundary, from)) {
      this.#hash.update(bytes.subarray(from, at)).update('\0boundary\0');
      from = at + boundary.byteLength;
    }
    const end = Math.max(from, bytes.byteLength - boundary.byteLength + 1);
    this.#hash.update(bytes.subarray(from, end));
    // A copy, so that a short rest does not keep a long chunk.
    return Buffer.from(bytes.subarray(end));
  }
}
