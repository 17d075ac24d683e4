import { writeFile } from 'node:fs/promises';
import type { Action } from '../command-line/command.ts';
import { toFacts, toTable } from '../output/table.ts';
import { toDuration, toTime } from '../output/text.ts';
import { annotationsOf } from './annotations-of.ts';
import { dataOf, readPages } from './pages.ts';

export const listSessions: Action = async (invocation) => {
  const { client, text, count, isSet, out, signal } = invocation;
  const server = await client();
  const project = await invocation.project();
  const limit = count('limit');
  const order = text('order') === 'asc' ? ('asc' as const) : ('desc' as const);
  const path = { project_identifier: project };
  const sessions = readPages(
    (cursor) =>
      server.GET('/v1/projects/{project_identifier}/sessions', {
        params: { path, query: { limit: Math.min(limit, 100), order, cursor } },
        signal,
      }),
    limit,
  );
  const isAnnotated = isSet('include-annotations') || isSet('include-notes');
  await out.list(
    isAnnotated ? withAnnotations(sessions) : sessions,
    [
      { title: 'SESSION', text: ({ session_id: id }) => id },
      { title: 'START', text: ({ start_time: start }) => toTime(start) },
      {
        title: 'TIME',
        isRight: true,
        text: (one) => toDuration(Date.parse(one.end_time) - Date.parse(one.start_time)),
      },
      { title: 'TRACES', isRight: true, text: ({ traces }) => traces.length },
      { title: 'ID', text: ({ id }) => id },
    ],
    'No sessions. Spans with the attribute session.id make them.',
  );

  async function* withAnnotations<Item extends { readonly session_id: string }>(items: AsyncIterable<Item>) {
    for await (const item of items)
      yield { ...item, ...(await annotationsOf(invocation, server, project, 'session', item.session_id)) };
  }
};

export const getSession: Action = async (invocation) => {
  const { client, argument, text, out, signal } = invocation;
  const server = await client();
  const params = { path: { session_identifier: argument(0) } };
  const session = dataOf(await server.GET('/v1/sessions/{session_identifier}', { params, signal }));
  const extras = await annotationsOf(invocation, server, session.project_id, 'session', session.session_id);
  const document = { ...session, ...extras };
  const file = text('file');
  if (file !== undefined) {
    await writeFile(file, `${JSON.stringify(document, null, 2)}\n`);
    return out.note(`Wrote ${file}`);
  }
  await out.item(document, () => {
    const facts = toFacts([
      ['Session', session.session_id],
      ['ID', session.id],
      ['Start', toTime(session.start_time)],
      ['End', toTime(session.end_time)],
      ['Tokens', session.token_count_total || ''],
    ]);
    const rows = session.traces.map((trace) => [
      trace.trace_id,
      toTime(trace.start_time),
      toDuration(Date.parse(trace.end_time) - Date.parse(trace.start_time)),
    ]);
    const columns = [{ title: 'TRACE' }, { title: 'START' }, { title: 'TIME', isRight: true }];
    return `${facts}\n\n${toTable(columns, rows, { isFirst: true, output: out })}`;
  });
};
