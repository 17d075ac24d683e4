/** A JSON body of REST that is bad, or as large as the server takes. */
export interface RestBody {
  readonly what: string;
  readonly path: string;
  readonly body: () => string;
  /** Answers that are right. */
  readonly status: readonly number[];
}

const SPANS = '/v1/projects/large%20bodies/spans';
const times = { start_time: '2024-05-01T12:00:00Z', end_time: '2024-05-01T12:00:01Z' };
const spanOf = (number: number, text = '', attributes = '') =>
  `{"name":"s","context":{"trace_id":"t${number}","span_id":"s${number}"},"span_kind":"LLM","start_time":"${times.start_time}",` +
  `"end_time":"${times.end_time}","status_code":"OK","attributes":{"input.value":"${text}"${attributes}}}`;
const many = (count: number, item: (number: number) => string): string =>
  Array.from({ length: count }, (_, number) => item(number)).join(',');

/** Bodies whose size is `share` of what the server takes: 1 is the largest. */
export const badRestBodies = (share: number): readonly RestBody[] => {
  const sized = (count: number) => Math.max(1, Math.floor(count * share));
  return [
    {
      what: 'good spans, then no JSON',
      path: SPANS,
      body: () => `{"data":[${many(sized(150_000), (number) => spanOf(number, 'x'.repeat(200)))},]}`,
      status: [422],
    },
    {
      what: 'spans of which the last is none',
      path: SPANS,
      body: () => `{"data":[${many(sized(150_000), (number) => spanOf(number, 'x'.repeat(200)))},7]}`,
      status: [422],
    },
    {
      what: 'empty objects for spans',
      path: SPANS,
      body: () => `{"data":[${many(sized(3_900_000), () => '{}')}]}`,
      status: [422],
    },
    {
      what: 'numbers for spans',
      path: SPANS,
      body: () => `{"data":[${many(sized(7_500_000), () => '1.5')}]}`,
      status: [422],
    },
    {
      what: 'objects whose keys are all different',
      path: SPANS,
      body: () => `{"data":[${many(sized(3_000_000), (number) => `{"k${number}":1}`)}]}`,
      // Of too many different keys 413.
      status: [413, 422],
    },
    {
      what: 'a span of too many attributes',
      path: SPANS,
      body: () => `{"data":[${spanOf(0, '', `,${many(90_000, (number) => `"k${number}":1`)}`)}]}`,
      status: [400, 422],
    },
    {
      what: 'lists inside lists',
      path: SPANS,
      body: () => `{"data":[${many(sized(3_900_000), () => '[]')}]}`,
      status: [422],
    },
    {
      what: 'an object that lacks its spans',
      path: SPANS,
      body: () => `{"spans":[${many(sized(150_000), (number) => spanOf(number, 'x'.repeat(200)))}]}`,
      status: [422],
    },
    {
      what: 'a long text',
      path: SPANS,
      body: () => `{"data":[${spanOf(0, '\\n'.repeat(sized(31_000_000)))}],"x":}`,
      status: [422],
    },
    {
      what: 'annotations without a result',
      path: '/v1/span_annotations',
      body: () =>
        `{"data":[${many(sized(600_000), (number) => `{"span_id":"${number}","name":"n","annotator_kind":"LOT"}`)}]}`,
      status: [422],
    },
    {
      what: 'examples of which one is none',
      path: '/v1/datasets/upload',
      body: () => `{"name":"d","inputs":[${many(sized(3_000_000), (number) => `{"a":${number}}`)},7]}`,
      status: [422],
    },
  ];
};
