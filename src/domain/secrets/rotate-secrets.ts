import type { Ports } from '../ports.ts';
import { listSealedTexts } from './sealed-texts.ts';
import { keyIdOf } from './secret-box.ts';

export interface Rotation {
  /** Texts that are encrypted with the current key now and were not before. */
  readonly resealedCount: number;
  /** Texts that had the current key before. */
  readonly currentCount: number;
  /** Texts that changed again and again while they were sealed, so that another rotation is needed. */
  readonly changedCount: number;
  /** Texts that no key opens, each with the ID of its key if the text has one. */
  readonly closed: readonly { readonly name: string; readonly keyId: string | undefined }[];
}

/** A server that writes at the same time with another key makes a further pass necessary. */
const PASS_COUNT_MAX = 5;

/**
 * Encrypts every stored text with the current key. Servers may run: a text that changes in between keeps the change. A
 * rotation that was interrupted goes on where it ended, because texts with the current key are skipped.
 *
 * @param onProgress called after each batch with the number of texts that were read
 */
export async function rotateSecrets(
  ports: Pick<Ports, 'secrets' | 'providers' | 'secretBox'>,
  onProgress: (readCount: number) => void,
): Promise<Rotation> {
  let resealedCount = 0;
  for (let pass = 1; ; pass++) {
    const result = await runPass(ports, onProgress);
    resealedCount += result.resealedCount;
    if (result.changedCount > 0 && pass < PASS_COUNT_MAX) continue;
    // Later passes find the texts of earlier ones.
    return { ...result, resealedCount, currentCount: result.currentCount - (resealedCount - result.resealedCount) };
  }
}

async function runPass(
  ports: Pick<Ports, 'secrets' | 'providers' | 'secretBox'>,
  onProgress: (readCount: number) => void,
): Promise<Rotation> {
  const { secretBox: box } = ports;
  const closed: { name: string; keyId: string | undefined }[] = [];
  const counts = { resealedCount: 0, currentCount: 0, changedCount: 0 };
  let readCount = 0;
  for await (const texts of listSealedTexts(ports)) {
    for (const { name, sealed, location, replace } of texts) {
      const text = box.open(sealed, location);
      if (text === undefined) closed.push({ name, keyId: keyIdOf(sealed) });
      else if (box.isCurrent(sealed)) counts.currentCount++;
      else if (await replace(box.seal(text, location))) counts.resealedCount++;
      else counts.changedCount++;
    }
    readCount += texts.length;
    if (texts.length > 0) onProgress(readCount);
  }
  return { ...counts, closed };
}
