import type { Acknowledgement, Ingest, IngestError, OtlpRequest, Rejection } from '../../../src/ingest/ingest.ts';
import { toReceipt } from '../../../src/ingest/journaled-ingest.ts';

/** An ingest that keeps requests in memory, and answers what a test tells it to. */
export class FakeIngest implements Ingest {
  readonly requests: OtlpRequest[] = [];
  acknowledgement: Acknowledgement = { spanCount: 1, rejectedSpanCount: 0, message: '', receipt: toReceipt(1) };
  /** Result of `findRejection`. */
  rejectionError: Error | undefined;
  /** What `submitOtlp` rejects with. */
  submitError: Error | undefined;
  errors: IngestError[] = [];
  readonly rejections: Rejection[] = [];

  findRejection(): Error | undefined {
    return this.rejectionError;
  }

  async submitOtlp(request: OtlpRequest): Promise<Acknowledgement> {
    this.requests.push(request);
    if (this.submitError !== undefined) throw this.submitError;
    return this.acknowledgement;
  }

  replay(): undefined {}
  isCaughtUp(): Promise<boolean> {
    return Promise.resolve(true);
  }

  recordRejection(rejection: Rejection): void {
    this.rejections.push(rejection);
  }

  latestErrors(): IngestError[] {
    return this.errors;
  }

  status = notAsked;
  submitSpans = notAsked;
  submitAnnotations = notAsked;
  submitDeletion = notAsked;
  submitTransfer = notAsked;
  submitCostChange = notAsked;
  waitFor = notAsked;
  async close(): Promise<void> {}
}

async function notAsked(): Promise<never> {
  throw new Error('OTLP has no use for this');
}
