import { type Annotation, type AnnotationTarget, NOTE_NAME } from '../../../model/annotations/annotation.ts';
import { rowIdOf } from '../../contract/global-id.ts';
import { reject } from '../arguments.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import type { Loaders } from '../loaders.ts';
import { annotationRef, type NodeRef, type Resolver, type Resolvers } from '../resolvers.ts';
import { ANNOTATION_NODE_TYPES } from './annotation.ts';
import { documentRetrievalMetrics } from './document-retrieval.ts';

interface FilterCondition {
  readonly names?: readonly string[] | null;
  readonly sources?: readonly string[] | null;
  readonly userIds?: readonly (string | null)[] | null;
}

interface ListArguments {
  readonly sort?: { readonly col: 'createdAt' | 'name'; readonly dir: 'asc' | 'desc' } | null;
  readonly filter?: { readonly include?: FilterCondition | null; readonly exclude?: FilterCondition | null } | null;
}

type Sort = NonNullable<ListArguments['sort']>;

/** Annotations as fields of their targets. */
export const annotationsOfSpan: Resolvers = {
  spanAnnotations: list('span', { col: 'name', dir: 'asc' }),
  spanNotes: notes,
  spanAnnotationSummaries: summaries('span'),
  documentEvaluations: list('document', { col: 'createdAt', dir: 'asc' }),
  documentRetrievalMetrics,
};

export const annotationsOfTrace: Resolvers = {
  traceAnnotations: list('trace', { col: 'createdAt', dir: 'desc' }),
  traceAnnotationSummaries: summaries('trace'),
};

export const annotationsOfSession: Resolvers = {
  sessionAnnotations: list('session', { col: 'createdAt', dir: 'asc' }),
  sessionAnnotationSummaries: summaries('session'),
};

function list(target: AnnotationTarget, defaultSort: Sort): Resolver<NodeRef, ListArguments> {
  return ({ rowId }, { sort, filter }, { loaders, items }) => {
    const isWanted = toPredicate(filter);
    return whenKnown(annotationsOf(target, rowId, filter, loaders), (found) => {
      const wanted = found.filter(isWanted).sort(comparing(sort ?? defaultSort));
      items.take(wanted.length);
      return wanted.map((annotation) => annotationRef(ANNOTATION_NODE_TYPES[target], annotation.rowId));
    });
  };
}

/** Annotations of a target. To a filter of users, deleted authors and the internal account are null. */
function annotationsOf(target: AnnotationTarget, rowId: number, filter: ListArguments['filter'], loaders: Loaders) {
  return whenKnown(loaders.annotationsOf[target].load(rowId), (found = []) =>
    filter?.include?.userIds || filter?.exclude?.userIds ? withCurrentAuthors(found, loaders) : found,
  );
}

const withCurrentAuthors = (annotations: readonly Annotation[], { users }: Loaders): Promise<readonly Annotation[]> =>
  Promise.all(
    annotations.map(async (annotation) => {
      const user = annotation.userId === null ? undefined : await users.load(annotation.userId);
      return user && user.role !== 'SYSTEM' ? annotation : { ...annotation, userId: null };
    }),
  );

function notes({ rowId }: NodeRef, args: object, context: Parameters<Resolver>[2]): unknown {
  const filter = { include: { names: [NOTE_NAME] } };
  return list('span', { col: 'createdAt', dir: 'asc' })({ type: 'Span', rowId }, { ...args, filter }, context);
}

function comparing({ col, dir }: Sort): (a: Annotation, b: Annotation) => number {
  const sign = dir === 'asc' ? 1 : -1;
  const compare = (a: Annotation, b: Annotation) =>
    col === 'createdAt' ? a.createdAtMs - b.createdAtMs : a.name < b.name ? -1 : Number(a.name > b.name);
  return (a, b) => sign * (compare(a, b) || a.rowId - b.rowId);
}

/** @throws {SpandrelError} `QUERY_INVALID` */
function toPredicate(filter: ListArguments['filter']): (annotation: Annotation) => boolean {
  if (!filter) return () => true;
  const { include, exclude } = filter;
  if (!include && !exclude) reject('include and exclude cannot both be unset');
  const [isIncluded, isExcluded] = [include && matcher(include), exclude && matcher(exclude)];
  return (annotation) =>
    (isIncluded?.every((is) => is(annotation)) ?? true) && !isExcluded?.some((is) => is(annotation));
}

function matcher({ names, sources, userIds }: FilterCondition): ((annotation: Annotation) => boolean)[] {
  const conditions: ((annotation: Annotation) => boolean)[] = [];
  if (names) {
    const wanted = new Set(nonEmpty(names, 'names'));
    conditions.push(({ name }) => wanted.has(name));
  }
  if (sources) {
    const wanted = nonEmpty(sources, 'sources');
    conditions.push(({ source }) => wanted.includes(source));
  }
  if (userIds) {
    const rowIds = new Set(nonEmpty(userIds, 'user ids').map((one) => (one === null ? null : rowIdOf('User', one))));
    conditions.push(({ userId }) => rowIds.has(userId));
  }
  return conditions;
}

function nonEmpty<Value>(values: readonly Value[], what: string): readonly Value[] {
  return values.length > 0 ? values : reject(`${what} must be a non-empty list`);
}

/** Aggregates of the annotations of one target by name. Only annotations with a score or a label count. */
function summaries(target: AnnotationTarget): Resolver<NodeRef, Pick<ListArguments, 'filter'>> {
  return ({ rowId }, { filter }, { loaders }) => {
    const isWanted = toPredicate(filter);
    return whenKnown(annotationsOf(target, rowId, filter, loaders), (found) => {
      const counted = found.filter((one) => (one.score !== null || one.label !== null) && isWanted(one));
      // Most targets have one annotation, and a page has thousands of targets.
      if (counted.length <= 1) return counted.map(summaryOfOne);
      const byName = new Map<string, Annotation[]>();
      for (const annotation of counted.sort(comparing({ col: 'name', dir: 'asc' }))) {
        const ofName = byName.get(annotation.name);
        if (ofName) ofName.push(annotation);
        else byName.set(annotation.name, [annotation]);
      }
      return Array.from(byName, ([name, annotations]) => summarize(name, annotations));
    });
  };
}

const summaryOfOne = ({ name, label, score }: Annotation): object => ({
  name,
  count: 1,
  labels: label === null ? [] : [label],
  labelFractions: label === null ? [] : [{ label, fraction: 1 }],
  meanScore: score,
  scoreCount: score === null ? 0 : 1,
  labelCount: label === null ? 0 : 1,
});

function summarize(name: string, annotations: readonly Annotation[]): object {
  const scores = annotations.flatMap(({ score }) => score ?? []);
  const counts = new Map<string, number>();
  for (const { label } of annotations) if (label !== null) counts.set(label, (counts.get(label) ?? 0) + 1);
  const labelCount = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const labels = [...counts.keys()].sort();
  return {
    name,
    count: annotations.length,
    labels,
    labelFractions: labels.map((label) => ({ label, fraction: (counts.get(label) ?? 0) / labelCount })),
    meanScore: scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length,
    scoreCount: scores.length,
    labelCount,
  };
}
