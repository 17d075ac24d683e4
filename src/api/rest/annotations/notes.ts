import { Type } from '@sinclair/typebox';
import { expectPresent } from '../../../base/expect-present.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { defineRoute, type RestRoute } from '../define-route.ts';
import { DataOf, TrimmedText } from '../schema.ts';
import { capitalized, idProperty, NOTED_TARGETS, type NotedTarget, type TargetWords } from './annotation-targets.ts';

export const noteRoutes = (): RestRoute[] => NOTED_TARGETS.map((words) => noteRoute(words));

function noteRoute(words: TargetWords<NotedTarget>): RestRoute {
  const { target, idField } = words;
  const NoteJson = Type.Object({
    note: TrimmedText(),
    identifier: Type.String({
      default: '',
      description: 'Empty to add a further note. Otherwise the note with this identifier is replaced.',
    }),
    ...idProperty(words, TrimmedText({ description: words.idDescription })),
  });
  return defineRoute({
    method: 'POST',
    path: `/v1/${target}_notes`,
    access: 'member',
    blockedWhenStorageFull: true,
    idempotency: 'once',
    operationId: `add${capitalized(target)}Note`,
    tag: 'annotations',
    summary: `Add a note to a ${target}`,
    description: 'A note is an annotation with the name `note`, whose explanation is the text.',
    body: Type.Object({ data: NoteJson }),
    bodyExample: { data: { [idField]: words.example, note: 'Look at the second tool call.' } },
    success: {
      status: 200,
      description: 'The note. Every later read sees it.',
      schema: DataOf(Type.Object({ id: Type.String() })),
      example: { data: { id: toGlobalId(words.globalIdType, 9) } },
    },
    errors: { 404: NOT_FOUND[target] },
    async handle({ domain, body: { data } }) {
      const { note, identifier } = data;
      const of = { targetId: expectPresent(data[idField], 'the schema requires the ID') };
      const request = { target, of, note, identifier, source: 'API' } as const;
      return { data: { id: toGlobalId(words.globalIdType, await domain.annotations.addNote(request)) } };
    },
  });
}

const NOT_FOUND = {
  span: 'Span with ID <id> not found',
  trace: 'Trace with ID <id> not found',
  session: 'Session with session_id <id> not found',
} as const satisfies Record<NotedTarget, string>;
