import { move, transferableSymbol, valueSymbol } from 'piscina';
import { crc32c } from '../../../native-bindings/crc32c.ts';
import { freeBuffer } from '../../base/free-buffer.ts';
import { type ErrorCode, SpandrelError } from '../../model/errors.ts';
import { transferList } from '../../columns/transfer-list.ts';
import { checkOtlpRequest, type OtlpCheck } from '../../otlp/check-request.ts';
import type { OtlpRequest } from '../ingest.ts';
import { type DecodedBatch, type DecodeTask, decodeBatch } from './decode-batch.ts';
import { inflate } from './inflate.ts';

// Functions that run in the threads of the decode pool.

export interface CheckTask extends Pick<OtlpRequest, 'format' | 'encoding' | 'body'> {
  /** Maximum number of commas and opening brackets of a JSON body. Default `JSON_SIGN_COUNT_MAX`. */
  readonly jsonSignCountMax?: number | undefined;
  readonly countsProjects?: boolean;
  readonly usesServiceName?: boolean | undefined;
}

/** Between threads, errors lose their class and all fields except the message, so the code is sent as data. */
export type CheckResult =
  | (OtlpCheck & {
      readonly isGood: true;
      /** The body as received, for the journal. */
      readonly body: Uint8Array<ArrayBuffer>;
      readonly bodyCrc: number;
    })
  | { readonly isGood: false; readonly code: ErrorCode; readonly message: string };

export function check({ format, encoding, body, ...options }: CheckTask): CheckResult {
  try {
    const inflated = inflate(body, encoding);
    const result = checkOtlpRequest(inflated, format, options);
    if (inflated !== body) freeBuffer(inflated);
    return moved({ isGood: true, ...result, body, bodyCrc: crc32c(body) }, [body.buffer]);
  } catch (error) {
    freeBuffer(body);
    if (error instanceof SpandrelError) return { isGood: false, code: error.code, message: error.message };
    throw error;
  }
}

export function decode(task: DecodeTask): DecodedBatch {
  const batch = decodeBatch(task);
  return batch.content.kind === 'rows' ? moved(batch, transferList(batch.content.columns)) : batch;
}

/** The value with buffers that are transferred instead of copied. */
const moved = <Value>(value: Value, buffers: readonly ArrayBuffer[]): Value =>
  move({ [transferableSymbol]: buffers, [valueSymbol]: value as object }) as Value;
