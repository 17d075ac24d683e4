import { bindToPorts } from '../bind-to-ports.ts';
import type { Ports } from '../ports.ts';
import { claimRequest, recordResponse, releaseRequest, repeatResponse } from './claim-request.ts';

/** Requests that are executed once for a key of their client, for the API layers that take such keys. */
export const createIdempotencyOperations = (ports: Ports) =>
  bindToPorts(ports, {
    claim: claimRequest,
    record: recordResponse,
    release: releaseRequest,
    repeat: repeatResponse,
  });

export type IdempotencyOperations = ReturnType<typeof createIdempotencyOperations>;
