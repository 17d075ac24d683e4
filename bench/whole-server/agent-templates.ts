import { gzipSync } from 'node:zlib';
import { AGENT_TRACE_SPAN_COUNT, agentRequest } from '../../test/fixtures/otlp-requests.ts';
import { SeededRandom } from '../../test/fixtures/seeded-random.ts';

/**
 * Encoded requests that are changed to new ones in place: IDs, times and session names are overwritten, so a batch of
 * 500 spans costs a few thousand writes and no encoding, and the server gets the processor.
 */
export interface AgentTemplate {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly spanCount: number;
  readonly traceCount: number;
  /**
   * Makes it batch `batchNumber`: its ids are unique for the run and number, its first trace starts at the time.
   * Traces follow each other by `traceGapNano`; every four share a session.
   */
  fill(batchNumber: number, startTimeUnixNano: bigint, traceGapNano?: bigint): void;
  /** Trace ID in hex of the trace at this index of the batch, as `fill` writes it. */
  traceId(batchNumber: number, traceIndex: number): string;
}

/** Offset of a field in a body, and the trace or span that it belongs to. */
interface Place {
  readonly at: number;
  readonly index: number;
}

const TRACES_PER_SESSION = 4;
const TRACE_GAP_NANO = 10_000_000n;

/** Templates with different texts: enough of them that the store's compression does not meet the same text twice. */
export function makeAgentTemplates({
  count,
  traceCount,
  project,
  runKey,
}: {
  count: number;
  traceCount: number;
  project: string;
  /** Two runs with different keys make different ids. */
  runKey: number;
}): AgentTemplate[] {
  const vocabulary = makeVocabulary(new SeededRandom(1));
  return Array.from({ length: count }, (_, index) => {
    const body = agentRequest({ seed: 1_000 + index, traceCount, projectName: project });
    varyWords(body, vocabulary, new SeededRandom(index));
    return makeTemplate(body, runKey);
  });
}

/** Words by their length: 6,000 made up, so that texts compress about as prose does (2.8 to 1) and not like a list of 30 words. */
type Vocabulary = ReadonlyMap<number, readonly Buffer[]>;

function makeVocabulary(random: SeededRandom): Vocabulary {
  const byLength = new Map<number, Buffer[]>();
  for (let count = 0; count < 6_000; count++) {
    const length = 2 + random.below(8);
    const letters = Array.from(
      { length },
      () => 'eeeetttaaaoooiiinnnsssrrhhlddcummfpgwybvkxjqz'[random.below(45)],
    ).join('');
    const words = byLength.get(length);
    if (words) words.push(Buffer.from(letters));
    else byLength.set(length, [Buffer.from(letters)]);
  }
  return byLength;
}

/** Overwrites words between blanks, in place and by others as long: names, ids and lengths of the message stay. */
function varyWords(body: Uint8Array, vocabulary: Vocabulary, random: SeededRandom): void {
  const isLetter = (byte: number | undefined) => byte !== undefined && byte >= 97 && byte <= 122;
  for (let at = 1; at < body.length; at++) {
    if (body[at - 1] !== 32 || !isLetter(body[at])) continue;
    let end = at;
    while (isLetter(body[end])) end++;
    const words = vocabulary.get(end - at);
    // Frequent words stay frequent: the square of an even choice prefers the first of the list.
    if (body[end] === 32 && words) body.set(words[Math.floor(random.next() ** 2 * words.length)]!, at);
    at = end;
  }
}

/** Gzip of the body as it is now. */
export const gzipped = (template: AgentTemplate): Buffer => gzipSync(template.body, { level: 1 });

function makeTemplate(body: Uint8Array<ArrayBuffer>, runKey: number): AgentTemplate {
  const places = findPlaces(body);
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const traceCount = places.traceStarts.length;
  const spanCount = traceCount * AGENT_TRACE_SPAN_COUNT;
  return {
    body,
    spanCount,
    traceCount,
    fill(batchNumber, startTimeUnixNano, traceGapNano = TRACE_GAP_NANO) {
      for (const { at, index } of places.traceIds) writeTraceId(view, at, batchNumber * traceCount + index, runKey);
      for (const { at, index } of places.spanIds) {
        const number = batchNumber * spanCount + index;
        view.setUint32(at, mix(number, runKey + 4));
        view.setUint32(at + 4, mix(number ^ 0x5bd1e995, runKey + 5));
      }
      for (const { at, index, offsetNano } of places.times) {
        view.setBigUint64(at, startTimeUnixNano + BigInt(index) * traceGapNano + offsetNano, true);
      }
      for (const { at, index, digitCount } of places.sessionDigits) {
        const number = Math.floor((batchNumber * traceCount + index) / TRACES_PER_SESSION);
        const session = mix(number, runKey + 6) * 1_000 + (mix(number, runKey + 7) % 1_000);
        for (let digit = 0, rest = session; digit < digitCount; digit++, rest = Math.floor(rest / 10))
          body[at + digit] = 48 + (rest % 10);
      }
    },
    traceId(batchNumber, traceIndex) {
      const bytes = new DataView(new ArrayBuffer(16));
      writeTraceId(bytes, 0, batchNumber * traceCount + traceIndex, runKey);
      return Buffer.from(bytes.buffer).toString('hex');
    },
  };
}

function writeTraceId(view: DataView, at: number, number: number, runKey: number): void {
  for (let word = 0; word < 4; word++) view.setUint32(at + 4 * word, mix(number ^ (word * 0x01000193), runKey + word));
}

/** A bijection of 32-bit numbers (two rounds of xor-shift and odd multiplication), so different numbers stay different. */
function mix(number: number, key: number): number {
  let mixed = (number ^ Math.imul(key + 1, 0x9e3779b1)) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

interface Places {
  readonly traceStarts: readonly bigint[];
  readonly traceIds: readonly Place[];
  readonly spanIds: readonly Place[];
  readonly times: readonly (Place & { readonly offsetNano: bigint })[];
  readonly sessionDigits: readonly (Place & { readonly digitCount: number })[];
}

/**
 * Walks ExportTraceServiceRequest → ResourceSpans (1) → ScopeSpans (2) → Span (2) and records the fields for `fill`.
 */
function findPlaces(body: Uint8Array): Places {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const traceIndexOf = new Map<string, number>();
  const spanIndexOf = new Map<string, number>();
  const traceStarts: bigint[] = [];
  const traceIds: Place[] = [];
  const spanIds: Place[] = [];
  const times: { at: number; index: number }[] = [];
  const sessionDigits: { at: number; index: number; digitCount: number }[] = [];
  const indexOf = (known: Map<string, number>, at: number, length: number) => {
    const id = bytes.toString('latin1', at, at + length);
    const index = known.get(id) ?? known.size;
    known.set(id, index);
    return index;
  };
  const spans = fieldsOf(bytes, 0, bytes.length)
    .filter((field) => field.number === 1)
    .flatMap((resourceSpans) =>
      fieldsOf(bytes, resourceSpans.at, resourceSpans.end).filter((field) => field.number === 2),
    )
    .flatMap((scopeSpans) => fieldsOf(bytes, scopeSpans.at, scopeSpans.end).filter((field) => field.number === 2));
  for (const span of spans) {
    const fields = fieldsOf(bytes, span.at, span.end);
    const traceId = fields.find((field) => field.number === 1)!;
    const index = indexOf(traceIndexOf, traceId.at, 16);
    traceIds.push({ at: traceId.at, index });
    for (const field of fields) {
      if (field.number === 2 || field.number === 4)
        spanIds.push({ at: field.at, index: indexOf(spanIndexOf, field.at, 8) });
      if (field.number === 7 || field.number === 8) times.push({ at: field.at, index });
      if (field.number === 11)
        times.push({ at: fieldsOf(bytes, field.at, field.end).find((one) => one.number === 1)!.at, index });
      if (field.number === 9) {
        const session = /^session\.id.{4}session-(\d+)$/s.exec(bytes.toString('latin1', field.at + 2, field.end));
        if (session) sessionDigits.push({ at: field.end - session[1]!.length, index, digitCount: session[1]!.length });
      }
      if (field.number === 7) {
        const start = view.getBigUint64(field.at, true);
        if (traceStarts[index] === undefined || start < traceStarts[index]) traceStarts[index] = start;
      }
    }
  }
  const offsets = times.map(({ at, index }) => ({
    at,
    index,
    offsetNano: view.getBigUint64(at, true) - traceStarts[index]!,
  }));
  return { traceStarts, traceIds, spanIds, times: offsets, sessionDigits };
}

interface WireField {
  readonly number: number;
  /** Of its content. */
  readonly at: number;
  readonly end: number;
}

function fieldsOf(bytes: Buffer, from: number, to: number): WireField[] {
  const fields: WireField[] = [];
  let at = from;
  const varint = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++]!;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < to) {
    const tag = varint();
    const wireType = tag & 7;
    const length = wireType === 2 ? varint() : wireType === 1 ? 8 : wireType === 5 ? 4 : 0;
    const start = at;
    if (wireType === 0) varint();
    else at += length;
    fields.push({ number: tag >> 3, at: start, end: at });
  }
  return fields;
}
