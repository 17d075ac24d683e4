import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Span } from '@spandrel/client/spans';
import { type Action, UsageError } from '../command-line/command.ts';
import type { Column } from '../output/table.ts';
import { toDuration, toTime } from '../output/text.ts';
import { annotationsOf } from './annotations-of.ts';
import { startTimeOf, timeOf } from './find.ts';
import { readPages } from './pages.ts';

const PAGE_ROW_COUNT = 1_000;

/** Columns of lists of spans. */
export const SPAN_COLUMNS: readonly Column<Span>[] = [
  { title: 'SPAN', text: ({ context }) => context.span_id },
  { title: 'TRACE', text: ({ context }) => context.trace_id },
  { title: 'START', text: ({ start_time: start }) => toTime(start) },
  { title: 'KIND', text: ({ span_kind: kind }) => kind },
  { title: 'NAME', text: ({ name }) => name },
  { title: 'TIME', isRight: true, text: (span) => toDuration(Date.parse(span.end_time) - Date.parse(span.start_time)) },
  { title: 'STATUS', text: ({ status_code: code }) => code },
];

export const listSpans: Action = async (invocation) => {
  const { client, text, list, number, count, argument, out, signal } = invocation;
  const server = await client();
  const project = await invocation.project();
  const limit = count('limit');
  const filled = (values: readonly string[]) => (values.length > 0 ? [...values] : undefined);
  const query = {
    start_time: startTimeOf(text('since'), number('last-n-minutes')),
    end_time: timeOf(text('until'), 'until'),
    span_kind: filled(list('span-kind')),
    status_code: filled(list('status-code')) as Span['status_code'][] | undefined,
    name: filled(list('name')),
    trace_id: filled(list('trace-id')),
    span_id: filled(list('span-id')),
    parent_id: text('parent-id'),
    attribute: filled(list('attribute').map(checkAttribute)),
    limit: Math.min(limit, PAGE_ROW_COUNT),
  };
  const params = { path: { project_identifier: project } };
  const spans = readPages(
    (cursor) =>
      server.GET('/v1/projects/{project_identifier}/spans', {
        params: { ...params, query: { ...query, cursor } },
        signal,
      }),
    limit,
  );
  const isAnnotated = ['include-annotations', 'include-notes'].some((flag) => invocation.isSet(flag));
  const annotated = isAnnotated ? withAnnotations(spans) : spans;
  const file = argument(0);
  if (file) return save(file);
  await out.list(annotated, SPAN_COLUMNS, 'No spans match. --since widens the range.');

  async function* withAnnotations(items: AsyncIterable<Span>): AsyncGenerator<Span> {
    for await (const span of items)
      yield { ...span, ...(await annotationsOf(invocation, server, project, 'span', span.context.span_id)) };
  }

  async function save(path: string): Promise<void> {
    const stream = createWriteStream(path);
    await once(stream, 'open');
    let count = 0;
    for await (const span of annotated) {
      if (!stream.write(`${count++ === 0 ? '[\n' : ',\n'}${JSON.stringify(span)}`)) await once(stream, 'drain');
      if (count % PAGE_ROW_COUNT === 0) out.progress(`${count} spans`);
    }
    stream.end(count === 0 ? '[]\n' : '\n]\n');
    await once(stream, 'finish');
    out.note(`Wrote ${count} spans to ${path}`);
  }
};

function checkAttribute(text: string): string {
  if (/^[^:]+:/.test(text)) return text;
  throw new UsageError(`--attribute must be key:value, such as llm.model_name:gpt-4o, received "${text}".`);
}
