import {
  type AnnotationSource,
  type AnnotationTarget,
  type AnnotatorKind,
  type NewAnnotation,
  NOTE_NAME,
  type TargetRef,
} from '../../../model/annotation.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { addNote } from '../../../domain/annotations/add-note.ts';
import { annotateNow } from '../../../domain/annotations/annotate.ts';
import {
  type AnnotationPatch,
  alreadyExists,
  changeAnnotations,
  removeAnnotations,
} from '../../../domain/annotations/change-annotations.ts';
import { checkStorage, refuse } from '../arguments.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode } from '../node.ts';
import { annotationRef, QUERY, type Resolver, type Resolvers } from '../resolvers.ts';
import { ANNOTATION_NODE_TYPES } from './annotation.ts';

interface AnnotationInput {
  readonly name: string;
  readonly annotatorKind: AnnotatorKind;
  readonly label?: string | null;
  readonly score?: number | null;
  readonly explanation?: string | null;
  readonly metadata: unknown;
  readonly source: AnnotationSource;
  readonly identifier?: string | null;
  readonly spanId?: string;
  readonly traceId?: string;
  readonly projectSessionId?: string;
  readonly documentPosition?: number;
}

type NoteInput = Pick<AnnotationInput, 'spanId' | 'traceId' | 'projectSessionId'> & { readonly note: string };

interface PatchInput extends Partial<AnnotationInput> {
  readonly annotationId: string;
}

type SessionInput = Omit<AnnotationInput, 'annotatorKind' | 'source'> & Partial<AnnotationInput>;
type UpdateInput = SessionInput & { readonly id: string };

/** The compiled documents leave out defaults of fields inside an input. */
const withDefaults = ({ annotatorKind, source, ...input }: SessionInput): AnnotationInput => ({
  ...input,
  annotatorKind: annotatorKind ?? 'HUMAN',
  source: source ?? 'APP',
});

/** How a kind of target is called in payloads and texts. */
const WORDS = {
  span: { list: 'spanAnnotations', noun: 'span' },
  trace: { list: 'traceAnnotations', noun: 'trace' },
  document: { list: 'documentAnnotations', noun: 'document' },
  session: { list: 'projectSessionAnnotation', noun: 'session' },
} as const;

export const annotationMutations: Resolvers = {
  createSpanAnnotations: create('span'),
  patchSpanAnnotations: patch('span'),
  deleteSpanAnnotations: remove('span'),
  createTraceAnnotations: create('trace'),
  patchTraceAnnotations: patch('trace'),
  deleteTraceAnnotations: remove('trace'),
  createDocumentAnnotations: create('document'),
  patchDocumentAnnotations: patch('document'),
  deleteDocumentAnnotations: remove('document'),
  createSpanNote: note('span'),
  createTraceNote: note('trace'),
  createProjectSessionNote: note('session'),
  async createProjectSessionAnnotations(_source, { input }: { readonly input: SessionInput }, context) {
    checkStorage(context);
    if (input.score == null && !input.label && !input.explanation) {
      refuse('At least one of score, label, or explanation must be not null/empty.');
    }
    const rowId = rowIdOfNode('ProjectSession', input.projectSessionId!);
    const { name, identifier } = input;
    const stored = await context.domain.spans.findAnnotationsOfTargets({ target: 'session', rowIds: [rowId] });
    const isTaken = stored.get(rowId)?.some((one) => one.name === name && one.identifier === (identifier ?? ''));
    if (isTaken) throw alreadyExists(name);
    return createAll('session', [withDefaults(input)], context);
  },
  async updateProjectSessionAnnotations(_source, { input }: { readonly input: UpdateInput }, context) {
    checkStorage(context);
    const {
      name,
      annotatorKind,
      label = null,
      score = null,
      explanation = null,
      metadata,
      source,
    } = withDefaults(input);
    const rowId = rowIdOfNode('ProjectSessionAnnotation', input.id);
    checkName('session', name);
    const change = { rowId, name, annotatorKind, label, score, explanation, source, metadata: toText(metadata) };
    await changeAnnotations(context.domain, 'session', [change]);
    return payload('session', [rowId], context);
  },
  async deleteProjectSessionAnnotation(_source, { id }: { readonly id: string }, context) {
    return removeAll('session', [rowIdOfNode('ProjectSessionAnnotation', id)], context);
  },
};

type Listed = 'span' | 'trace' | 'document';

function note(target: 'span' | 'trace' | 'session'): Resolver<unknown, { readonly annotationInput: NoteInput }> {
  return async (_source, { annotationInput }, context) => {
    checkStorage(context);
    const [ref] = await targetsOf(target, [annotationInput], context);
    const { note: text } = annotationInput;
    const request = { ...ref!, target, note: text, identifier: '', source: 'APP', userId: null } as const;
    return payload(target, [await addNote(context.domain, request)], context);
  };
}

function create(target: Listed): Resolver<unknown, { readonly input: readonly AnnotationInput[] }> {
  return (_source, { input }, context) => {
    checkStorage(context);
    if (input.length === 0) refuse(`No ${WORDS[target].noun} annotations provided.`);
    return createAll(target, input, context);
  };
}

async function createAll(target: AnnotationTarget, input: readonly AnnotationInput[], context: GraphqlContext) {
  for (const { name } of input) checkName(target, name);
  const refs = await targetsOf(target, input, context);
  const annotations = input.map(
    ({ name, annotatorKind, label, score, explanation, metadata, identifier, documentPosition }, index) =>
      ({
        ...refs[index]!,
        documentPosition: documentPosition ?? null,
        name,
        identifier: identifier ?? '',
        annotatorKind,
        label: label ?? null,
        score: score ?? null,
        explanation: explanation ?? null,
        metadata: toText(metadata),
      }) satisfies NewAnnotation,
  );
  const rowIds = new Array<number>(input.length);
  for (const source of new Set(input.map((one) => one.source))) {
    const places = input.flatMap((one, index) => (one.source === source ? [index] : []));
    const request = { target, source, userId: null, annotations: places.map((index) => annotations[index]!) };
    const made = await annotateNow(context.domain, request);
    for (const [at, index] of places.entries()) rowIds[index] = made[at]!;
  }
  return payload(target, rowIds, context);
}

function checkName(target: AnnotationTarget, name: string): void {
  if (target === 'document') {
    if (name.trim() === '') refuse('The name of an annotation must be non-empty.');
  } else if (name === NOTE_NAME) {
    throw new SpandrelError('ANNOTATION_NAME_RESERVED', `The name '${NOTE_NAME}' is reserved for ${target} notes.`);
  }
}

/** Resolves the rows that the caller named to targets with the IDs that applications know. */
async function targetsOf(
  target: AnnotationTarget,
  input: readonly Pick<AnnotationInput, 'spanId' | 'traceId' | 'projectSessionId'>[],
  { loaders }: GraphqlContext,
): Promise<TargetRef[]> {
  const found = await Promise.all(
    input.map(async ({ spanId, traceId, projectSessionId }): Promise<TargetRef | undefined> => {
      if (target === 'trace') {
        const trace = await loaders.traces.load(rowIdOfNode('Trace', traceId!));
        return trace && { targetId: trace.traceId };
      }
      if (target === 'session') {
        const session = await loaders.sessions.load(rowIdOfNode('ProjectSession', projectSessionId!));
        return session && { targetId: session.sessionId };
      }
      const span = await loaders.spans.load(rowIdOfNode('Span', spanId!));
      return span && { targetId: span.spanId, traceId: span.traceId };
    }),
  );
  const refs = found.filter((ref) => ref !== undefined);
  if (refs.length === input.length) return refs;
  const missing = input.filter((_, index) => found[index] === undefined);
  const named = missing.map(({ spanId, traceId, projectSessionId }) => spanId ?? traceId ?? projectSessionId);
  const noun = target === 'document' ? 'span' : target;
  throw new SpandrelError('ANNOTATION_TARGET_NOT_FOUND', `Could not find ${noun}s with IDs: [${named.join(', ')}]`);
}

function patch(target: Listed): Resolver<unknown, { readonly input: readonly PatchInput[] }> {
  return async (_source, { input }, context) => {
    checkStorage(context);
    if (input.length === 0) refuse(`No ${WORDS[target].noun} annotations provided.`);
    const patches = input.map((one) => toPatch(target, one));
    const rowIds = patches.map(({ rowId }) => rowId);
    if (new Set(rowIds).size < rowIds.length) refuse('Cannot patch an annotation more than once in one mutation.');
    await changeAnnotations(context.domain, target, patches);
    return payload(target, rowIds, context);
  };
}

/** Null clears a label, score or explanation, and leaves anything else. */
function toPatch(target: Listed, input: PatchInput): AnnotationPatch {
  const { name, identifier, annotatorKind, label, score, explanation, metadata, source } = input;
  if (name != null) checkName(target, name);
  return {
    rowId: rowIdOfNode(ANNOTATION_NODE_TYPES[target], input.annotationId),
    ...(name != null && { name }),
    ...(identifier != null && { identifier }),
    ...(annotatorKind != null && { annotatorKind }),
    ...(label !== undefined && { label }),
    ...(score !== undefined && { score }),
    ...(explanation !== undefined && { explanation }),
    ...(metadata != null && { metadata: toText(metadata) }),
    ...(source != null && target !== 'trace' && { source }),
  };
}

function remove(target: Listed): Resolver<unknown, { readonly input: { readonly annotationIds: readonly string[] } }> {
  return (_source, { input }, context) => {
    if (input.annotationIds.length === 0) refuse(`No ${WORDS[target].noun} annotations provided.`);
    const rowIds = input.annotationIds.map((one) => rowIdOfNode(ANNOTATION_NODE_TYPES[target], one));
    return removeAll(target, [...new Set(rowIds)], context);
  };
}

/** The payload shows what is gone. */
async function removeAll(target: AnnotationTarget, rowIds: readonly number[], context: GraphqlContext) {
  const removed = await removeAnnotations(context.domain, target, rowIds);
  const answer = payload(target, rowIds, context);
  for (const annotation of removed) context.loaders.annotations.prime(annotation.rowId, annotation);
  return answer;
}

function payload(target: AnnotationTarget, rowIds: readonly number[], context: GraphqlContext): object {
  context.forgetReads();
  const refs = rowIds.map((rowId) => annotationRef(ANNOTATION_NODE_TYPES[target], rowId));
  return { [WORDS[target].list]: target === 'session' ? refs[0] : refs, query: QUERY };
}

/** JSON text of an object. */
function toText(metadata: unknown): string {
  if (metadata === null || metadata === undefined) return '{}';
  if (typeof metadata !== 'object' || Array.isArray(metadata)) refuse('metadata must be a JSON object');
  return JSON.stringify(metadata);
}
