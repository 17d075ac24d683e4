import { expectPresent } from '../../../base/expect-present.ts';
import type { AnnotationSource, AnnotationTarget, AnnotatorKind } from '../../../model/annotations/annotation.ts';
import type { AnnotateRows, RowAnnotation } from '../../../domain/annotations/annotate-rows.ts';
import type { AnnotationPatch } from '../../../domain/annotations/change-annotations.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { reject } from '../arguments.ts';
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

/** Compiled documents omit the defaults of fields inside an input. */
const withDefaults = ({ annotatorKind, source, ...input }: SessionInput): AnnotationInput => ({
  ...input,
  annotatorKind: annotatorKind ?? 'HUMAN',
  source: source ?? 'APP',
});

/** Name of a kind of target in payloads and texts. */
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
    return createAll('session', [withDefaults(input)], context, { mustBeNew: true });
  },
  async updateProjectSessionAnnotations(_source, { input }: { readonly input: UpdateInput }, context) {
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
    const change = { rowId, name, annotatorKind, label, score, explanation, source, metadata: toText(metadata) };
    await context.domain.annotations.change('session', [change]);
    return payload('session', [rowId], context);
  },
  async deleteProjectSessionAnnotation(_source, { id }: { readonly id: string }, context) {
    return removeAll('session', [rowIdOfNode('ProjectSessionAnnotation', id)], context);
  },
};

type Listed = 'span' | 'trace' | 'document';

function note(target: 'span' | 'trace' | 'session'): Resolver<unknown, { readonly annotationInput: NoteInput }> {
  return async (_source, { annotationInput }, context) => {
    const of = { rowId: targetRowIdOf(target, annotationInput) };
    const request = { of, target, note: annotationInput.note, identifier: '', source: 'APP' } as const;
    return payload(target, [await context.domain.annotations.addNote(request)], context);
  };
}

function create(target: Listed): Resolver<unknown, { readonly input: readonly AnnotationInput[] }> {
  return (_source, { input }, context) => {
    if (input.length === 0) reject(`No ${WORDS[target].noun} annotations provided.`);
    return createAll(target, input, context);
  };
}

async function createAll(
  target: AnnotationTarget,
  input: readonly AnnotationInput[],
  context: GraphqlContext,
  rules: Pick<AnnotateRows, 'mustBeNew'> = {},
) {
  const annotations = input.map((one): RowAnnotation => {
    const { name, annotatorKind, label, score, explanation, metadata, source, identifier, documentPosition } = one;
    return {
      targetRowId: targetRowIdOf(target, one),
      documentPosition: documentPosition ?? null,
      name,
      identifier: identifier ?? defaultIdentifier(source, context),
      annotatorKind,
      label: label ?? null,
      score: score ?? null,
      explanation: explanation ?? null,
      metadata: toText(metadata),
      source,
    };
  });
  const rowIds = await context.domain.annotations.annotateRows({ target, annotations, ...rules });
  return payload(target, rowIds, context);
}

/**
 * Each person has an own annotation of a name in the interface, so that one does not replace that of another. The admin secret
 * and system keys belong to no person.
 */
function defaultIdentifier(source: AnnotationSource, { domain: { caller } }: GraphqlContext): string {
  const isPerson = caller.kind === 'signedIn' && caller.user.role !== 'SYSTEM';
  return source === 'APP' && isPerson ? `px-app:${toGlobalId('User', caller.user.rowId)}` : '';
}

function targetRowIdOf(
  target: AnnotationTarget,
  { spanId, traceId, projectSessionId }: Pick<AnnotationInput, 'spanId' | 'traceId' | 'projectSessionId'>,
): number {
  const given = (globalId: string | undefined) => expectPresent(globalId, 'the schema requires the ID of the target');
  if (target === 'trace') return rowIdOfNode('Trace', given(traceId));
  return target === 'session'
    ? rowIdOfNode('ProjectSession', given(projectSessionId))
    : rowIdOfNode('Span', given(spanId));
}

function patch(target: Listed): Resolver<unknown, { readonly input: readonly PatchInput[] }> {
  return async (_source, { input }, context) => {
    if (input.length === 0) reject(`No ${WORDS[target].noun} annotations provided.`);
    const patches = input.map((one) => toPatch(target, one));
    const rowIds = patches.map(({ rowId }) => rowId);
    await context.domain.annotations.change(target, patches);
    return payload(target, rowIds, context);
  };
}

/** Null clears a label, score or explanation, and keeps any other field. */
function toPatch(target: Listed, input: PatchInput): AnnotationPatch {
  const { name, identifier, annotatorKind, label, score, explanation, metadata, source } = input;
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
    if (input.annotationIds.length === 0) reject(`No ${WORDS[target].noun} annotations provided.`);
    const rowIds = input.annotationIds.map((one) => rowIdOfNode(ANNOTATION_NODE_TYPES[target], one));
    return removeAll(target, [...new Set(rowIds)], context);
  };
}

/** The payload shows the deleted annotations. */
async function removeAll(target: AnnotationTarget, rowIds: readonly number[], context: GraphqlContext) {
  const removed = await context.domain.annotations.remove(target, rowIds);
  const answer = payload(target, rowIds, context);
  for (const annotation of removed) context.loaders.annotations.prime(annotation.rowId, annotation);
  return answer;
}

function payload(target: AnnotationTarget, rowIds: readonly number[], context: GraphqlContext): object {
  context.invalidateReads();
  const refs = rowIds.map((rowId) => annotationRef(ANNOTATION_NODE_TYPES[target], rowId));
  return { [WORDS[target].list]: target === 'session' ? refs[0] : refs, query: QUERY };
}

/** JSON text of an object. */
function toText(metadata: unknown): string {
  if (metadata === null || metadata === undefined) return '{}';
  if (typeof metadata !== 'object' || Array.isArray(metadata)) reject('metadata must be a JSON object');
  return JSON.stringify(metadata);
}
