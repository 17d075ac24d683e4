type Value = string | number | boolean;
export type Attributes = Readonly<Record<string, Value>>;

export interface SampleSpan {
  readonly name: string;
  readonly kind: string;
  /** Offset from the start of the trace. */
  readonly startMs: number;
  readonly latencyMs: number;
  readonly attributes: Attributes;
  readonly error?: { readonly type: string; readonly message: string; readonly stack: string };
  readonly children?: readonly SampleSpan[];
}

/** Fields of a span that are needed after its conversion to OTLP. */
export interface SentSpan {
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly [key: string]: unknown;
}

/** Converts a span and its children to OTLP/JSON. */
export function emit(
  span: SampleSpan,
  parentSpanId: string | undefined,
  traceStart: number,
  traceId: string,
  common: Attributes,
  random: () => number,
  into: SentSpan[],
): void {
  const spanId = hex(random, 8);
  const start = traceStart + span.startMs;
  const end = start + span.latencyMs;
  const { error } = span;
  into.push({
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name: span.name,
    kind: 1,
    startTimeUnixNano: toNano(start),
    endTimeUnixNano: toNano(end),
    attributes: Object.entries({ 'openinference.span.kind': span.kind, ...common, ...span.attributes }).map(
      ([key, value]) => attribute(key, value),
    ),
    status: error ? { code: 2, message: error.message } : { code: 1 },
    events: error
      ? [
          {
            name: 'exception',
            timeUnixNano: toNano(end),
            attributes: [
              attribute('exception.type', error.type),
              attribute('exception.message', error.message),
              attribute('exception.stacktrace', error.stack),
            ],
          },
        ]
      : [],
  });
  for (const child of span.children ?? []) emit(child, spanId, traceStart, traceId, common, random, into);
}

const toNano = (ms: number): string => String(BigInt(Math.round(ms * 1000)) * 1000n);

/** An attribute in OTLP/JSON. */
export function attribute(key: string, value: Value): object {
  if (typeof value === 'string') return { key, value: { stringValue: value } };
  if (typeof value === 'boolean') return { key, value: { boolValue: value } };
  // Counts are integers. Other numbers are doubles.
  return { key, value: /score/.test(key) ? { doubleValue: value } : { intValue: String(Math.round(value)) } };
}

/** Random ID with the given number of bytes. */
export function hex(random: () => number, bytes: number): string {
  return Array.from({ length: bytes }, () =>
    Math.floor(random() * 256)
      .toString(16)
      .padStart(2, '0'),
  ).join('');
}
