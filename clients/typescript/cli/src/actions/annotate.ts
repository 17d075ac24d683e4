import { type Action, type Invocation, UsageError } from '../command-line/command.ts';

type Noun = 'span' | 'trace' | 'session';

function toResult({ text, number }: Invocation) {
  const [label, explanation] = [text('label')?.trim() || null, text('explanation')?.trim() || null];
  const score = number('score') ?? null;
  if (label === null && score === null && explanation === null) {
    throw new UsageError('Pass at least one of --label, --score and --explanation.');
  }
  return { label, score, explanation };
}

/** Annotates a target, and returns when the annotation is stored. */
export const annotate =
  (noun: Noun): Action =>
  async (invocation) => {
    const { client, argument, text, out, signal } = invocation;
    const targetId = argument(0);
    const name = text('name')?.trim() ?? '';
    if (name === 'note') throw new UsageError(`Annotations named "note" are notes: spandrel ${noun} add-note`);
    const annotatorKind = text('annotator-kind') as 'HUMAN' | 'LLM' | 'CODE';
    const identifier = text('identifier');
    const result = toResult(invocation);
    const annotation = { name, annotator_kind: annotatorKind, result, ...(identifier && { identifier }) };
    const server = await client();
    const options = { params: { query: { sync: true } }, signal };
    const { data } =
      noun === 'span'
        ? await server.POST('/v1/span_annotations', {
            ...options,
            body: { data: [{ ...annotation, span_id: targetId }] },
          })
        : noun === 'trace'
          ? await server.POST('/v1/trace_annotations', {
              ...options,
              body: { data: [{ ...annotation, trace_id: targetId }] },
            })
          : await server.POST('/v1/session_annotations', {
              ...options,
              body: { data: [{ ...annotation, session_id: targetId }] },
            });
    const id = data?.data[0]?.id ?? null;
    const document = { id, targetType: noun, targetId, name, ...result, annotatorKind, identifier: identifier ?? '' };
    await out.item(document, () => `Annotated ${noun} ${targetId} with ${name}.`);
  };

/** Adds a note to a target. */
export const addNote =
  (noun: Noun): Action =>
  async ({ client, argument, text, out, signal }) => {
    const targetId = argument(0);
    const note = text('text')?.trim() ?? '';
    if (!note) throw new UsageError('--text must not be blank.');
    const identifier = text('identifier');
    const content = { note, ...(identifier && { identifier }) };
    const server = await client();
    const { data } =
      noun === 'span'
        ? await server.POST('/v1/span_notes', { body: { data: { ...content, span_id: targetId } }, signal })
        : noun === 'trace'
          ? await server.POST('/v1/trace_notes', { body: { data: { ...content, trace_id: targetId } }, signal })
          : await server.POST('/v1/session_notes', { body: { data: { ...content, session_id: targetId } }, signal });
    const document = { id: data?.data.id ?? null, targetType: noun, targetId, text: note };
    await out.item(document, () => `Added a note to ${noun} ${targetId}.`);
  };
