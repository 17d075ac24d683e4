import { createHash, randomUUID } from 'node:crypto';
import { type Caller, hasFullScope } from '../../model/access/caller.ts';
import { SpandrelError } from '../../model/errors.ts';
import {
  IDEMPOTENCY_CLAIM_COUNT_MAX,
  IDEMPOTENCY_KEY_CHARS_MAX,
  IDEMPOTENCY_MS_MAX,
  IDEMPOTENCY_STALE_MS,
  IDEMPOTENT_RESPONSE_BYTES_MAX,
} from '../../model/limits/requests.ts';
import type { StoredRequest, StoredResponse } from '../../metadata-store/idempotency/idempotency-repository.ts';
import type { Ports } from '../ports.ts';

type ClaimPorts = Pick<Ports, 'caller' | 'idempotency' | 'requestClaims'>;

/** A request with a key of its client. */
export interface KeyedRequest {
  readonly key: string;
  /** Hash of method, path and query. */
  readonly targetHash: Buffer;
  /** Undefined while a streamed body arrives. */
  readonly bodyHash: Buffer | undefined;
  /**
   * A second execution stores nothing twice. Then a request that a killed server has left behind is executed again;
   * otherwise its outcome stays unknown.
   */
  readonly isRepeatable: boolean;
}

/**
 * `first`: the request is to be executed, and then `record` or `release` is called once. `repeated`: it has the response
 * already. If the body was not known, the caller compares its hash with `bodyHash`.
 */
export type Claim =
  | { readonly kind: 'first'; readonly id: Buffer; readonly claim: string; readonly isRepeatable: boolean }
  | { readonly kind: 'repeated'; readonly bodyHash: Buffer; readonly response: StoredResponse };

/**
 * Claims a key for a request of the caller, before anything is written.
 *
 * @throws {SpandrelError} `IDEMPOTENCY_KEY_INVALID`; `IDEMPOTENCY_KEY_REUSED` when the key belongs to another request;
 *   `IDEMPOTENT_REQUEST_RUNNING`; `IDEMPOTENT_OUTCOME_UNKNOWN`
 */
export async function claimRequest(ports: ClaimPorts, request: KeyedRequest): Promise<Claim> {
  checkKey(request.key);
  const caller = nameOf(ports.caller);
  // The name of a caller contains no zero byte, so two pairs never have the same text.
  const id = createHash('sha256').update(`${caller}\0${request.key}`).digest();
  for (let count = 0; count < IDEMPOTENCY_CLAIM_COUNT_MAX; count++) {
    const claim = await tryToClaim(ports, { ...request, id, caller });
    if (claim) return claim;
  }
  throw running();
}

type Attempt = KeyedRequest & { readonly id: Buffer; readonly caller: string };

/** Undefined when the row of the key has changed between two statements. */
async function tryToClaim({ idempotency, requestClaims }: ClaimPorts, attempt: Attempt): Promise<Claim | undefined> {
  const { id, caller, targetHash, bodyHash = null, isRepeatable } = attempt;
  const claim = randomUUID();
  const first = (): Claim => {
    requestClaims.hold(claim);
    return { kind: 'first', id, claim, isRepeatable };
  };
  const isNew = await idempotency.insert({ id, caller, targetHash, bodyHash, claim, ageMsMax: IDEMPOTENCY_MS_MAX });
  if (isNew) return first();
  const stored = await idempotency.find(id);
  if (stored === undefined) return undefined;
  checkSame(stored, attempt);
  if (stored.response && stored.bodyHash) {
    return { kind: 'repeated', bodyHash: stored.bodyHash, response: stored.response };
  }
  if (stored.silentMs < IDEMPOTENCY_STALE_MS) throw running();
  if (!isRepeatable) throw unknownOutcome('The server ended while it executed the request with this Idempotency-Key');
  return (await idempotency.takeOver({ id, lost: stored.claim, claim, bodyHash })) ? first() : undefined;
}

function checkSame(stored: StoredRequest, { targetHash, bodyHash }: Attempt): void {
  if (!stored.targetHash.equals(targetHash)) throw reused();
  if (stored.bodyHash && bodyHash && !stored.bodyHash.equals(bodyHash)) throw reused();
}

/**
 * Stores the response to a request that was claimed. A response above the limit is stored without its body, or not at all when
 * the request is repeatable. A failure is logged and not thrown, because the request itself has succeeded; a repeated request then has an unknown outcome.
 *
 * @param bodyHash Reads what is left of a streamed body.
 */
export async function recordResponse(
  ports: ClaimPorts,
  first: Claim & { readonly kind: 'first' },
  { bodyHash, response }: { readonly bodyHash: () => Promise<Buffer>; readonly response: StoredResponse },
): Promise<void> {
  const { idempotency, requestClaims } = ports;
  const { id, claim, isRepeatable } = first;
  const { body } = response;
  const isTooLarge = body !== null && body.byteLength > IDEMPOTENT_RESPONSE_BYTES_MAX;
  if (isTooLarge && isRepeatable) return releaseRequest(ports, first);
  try {
    const stored = isTooLarge ? { ...response, body: null } : response;
    await idempotency.record(id, claim, { bodyHash: await bodyHash(), response: stored });
  } catch (error) {
    requestClaims.lose(error);
  } finally {
    requestClaims.drop(claim);
  }
}

/** Deletes the key of a request that was claimed and has no response that is worth repeating. A failure is logged. */
export async function releaseRequest(
  { idempotency, requestClaims }: ClaimPorts,
  { id, claim }: Claim & { readonly kind: 'first' },
): Promise<void> {
  try {
    await idempotency.release(id, claim);
  } catch (error) {
    requestClaims.lose(error);
  } finally {
    requestClaims.drop(claim);
  }
}

/**
 * The stored response to a repeated request with this body.
 *
 * @throws {SpandrelError} `IDEMPOTENCY_KEY_REUSED` for another body; `IDEMPOTENT_OUTCOME_UNKNOWN` when the response was too large
 */
export function repeatResponse(
  _ports: ClaimPorts,
  { bodyHash, response }: Claim & { readonly kind: 'repeated' },
  receivedHash: Buffer,
): StoredResponse & { readonly body: Buffer } {
  if (!bodyHash.equals(receivedHash)) throw reused();
  const { body } = response;
  if (body) return { ...response, body };
  throw unknownOutcome(
    `The request with this Idempotency-Key has been executed with status ${response.status}, and its response was too large to store`,
  );
}

/** Credentials with all rights of their owner share the keys of the owner. Any other credential has its own keys. */
function nameOf(caller: Caller): string {
  if (caller.kind !== 'signedIn') return caller.kind;
  const { credential, credentialRowId, user } = caller;
  return hasFullScope(caller) ? `user ${user.rowId}` : `${credential} ${credentialRowId} of user ${user.rowId}`;
}

function checkKey(key: string): void {
  if (key.length > 0 && key.length <= IDEMPOTENCY_KEY_CHARS_MAX && /^[\x21-\x7e]+$/.test(key)) return;
  throw new SpandrelError(
    'IDEMPOTENCY_KEY_INVALID',
    `Idempotency-Key must have 1 to ${IDEMPOTENCY_KEY_CHARS_MAX} visible ASCII characters without blanks; it has ${key.length} characters`,
  );
}

const reused = () =>
  new SpandrelError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key belongs to a request with another method, path, query or body. Use a new key for each request.',
  );

const running = () =>
  new SpandrelError(
    'IDEMPOTENT_REQUEST_RUNNING',
    'A request with this Idempotency-Key is still running. Repeat this request later to get its response.',
  );

const unknownOutcome = (reason: string) =>
  new SpandrelError(
    'IDEMPOTENT_OUTCOME_UNKNOWN',
    `${reason}. Look whether its effect is stored, and use a new key to execute it again.`,
  );
