import { queryGraphql } from '@spandrel/client';
import { z } from 'zod';
import { FILTER_CHARS_MAX } from '../limits.ts';
import {
  bodyOf,
  CursorParameter,
  defineTool,
  limitOf,
  ProjectParameter,
  Row,
  requireProject,
  rowsOf,
  TimeParameter,
  type Tool,
  type ToolContext,
  ToolError,
} from '../tool.ts';
import { FILTER_GUIDE } from './filter-guide.ts';

const Filter = z.string().max(FILTER_CHARS_MAX);
const Grain = z.enum(['spans', 'traces', 'sessions']).default('spans');

/** Facets count spans, or traces by their root span or any span. */
const FacetGrain = z.enum(['spans', 'rootSpans', 'traces']).default('spans');

async function projectIdOf(given: string | undefined, context: ToolContext): Promise<string> {
  const params = { path: { project_identifier: requireProject(given, context) } };
  const call = context.client.GET('/v1/projects/{project_identifier}', { params, signal: context.signal });
  return (await bodyOf(call)).data.id;
}

/** A field of a project by GraphQL. */
async function askProject<Data>(
  given: string | undefined,
  context: ToolContext,
  declarations: string,
  fields: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<Data> {
  const id = await projectIdOf(given, context);
  const query = `query ($id: ID!${declarations}) { node(id: $id) { ... on Project { ${fields} } } }`;
  const { node } = await queryGraphql<{ readonly node: Data | null }>(context, query, { id, ...variables });
  if (!node) throw new ToolError('The project does not exist any more.');
  return node;
}

interface SpanPage {
  readonly spans: {
    readonly edges: readonly { readonly node: Record<string, unknown>; readonly cursor: string }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

const SPAN_FIELDS = `edges {
  cursor
  node {
    spanId name spanKind statusCode statusMessage startTime latencyMs tokenCountTotal parentId
    context { traceId } inputPreview outputPreview
  }
} pageInfo { hasNextPage endCursor }`;

const VALIDATION = 'isValid errorMessage warnings';
const VALIDATE = {
  // A name that is no field is an attribute to the language, so a mistyped field would be valid and match nothing.
  spans: 'validateSpanFilterCondition(condition: $filter, rejectUnknownNames: true)',
  traces: 'validateTraceFilterCondition(condition: $filter)',
  sessions: 'validateSessionFilterCondition(condition: $filter)',
} as const;

/** Tools for the filter language and facets. */
export const FILTER_TOOLS: readonly Tool[] = [
  defineTool({
    names: ['search-spans'],
    title: 'Search spans with a filter',
    description:
      "Spans that a filter selects, e.g. span_kind == 'LLM' and latency_ms > 5000, with previews of input and output. describe-filter explains the language.",
    effect: 'read',
    input: {
      project_identifier: ProjectParameter,
      filter: Filter.default(''),
      start_time: TimeParameter,
      end_time: TimeParameter,
      root_spans_only: z.boolean().default(false),
      sort_by: z.enum(['startTime', 'latencyMs', 'tokenCountTotal']).default('startTime'),
      order: z.enum(['asc', 'desc']).default('desc'),
      limit: limitOf(20, 100),
      cursor: CursorParameter,
    },
    output: rowsOf('spans', { spanId: z.string() }),
    async run(input, context) {
      const { spans } = await askProject<SpanPage>(
        input.project_identifier,
        context,
        ', $first: Int!, $after: String, $filter: String, $range: TimeRange, $sort: SpanSort, $roots: Boolean',
        `spans(first: $first, after: $after, filterCondition: $filter, timeRange: $range, sort: $sort, rootSpansOnly: $roots) { ${SPAN_FIELDS} }`,
        {
          ...{ first: input.limit, after: input.cursor ?? null, filter: input.filter || null },
          range: { start: input.start_time ?? null, end: input.end_time ?? null },
          sort: { col: input.sort_by, dir: input.order },
          roots: input.root_spans_only,
        },
      );
      const { hasNextPage, endCursor } = spans.pageInfo;
      const restAt = (cursor: string | null) =>
        `Spans after these. Repeat the call with cursor ${JSON.stringify(cursor)}.`;
      return {
        data: { spans: spans.edges.map(({ node }) => node), nextCursor: hasNextPage ? endCursor : null },
        list: 'spans',
        ...(hasNextPage && { rest: restAt(endCursor) }),
        cutList: (count) => {
          const nextCursor = spans.edges[count - 1]?.cursor ?? null;
          return { data: { nextCursor }, rest: restAt(nextCursor) };
        },
      };
    },
  }),
  defineTool({
    names: ['describe-filter'],
    title: 'Describe the filter language',
    description: 'Syntax, fields and examples of filters; for traces and sessions also the terms that the project has.',
    effect: 'read',
    input: { project_identifier: ProjectParameter, grain: Grain },
    output: Row({ guide: z.string().optional(), terms: z.array(Row()).optional() }),
    async run({ project_identifier, grain }, context) {
      if (grain === 'spans') return { data: { guide: FILTER_GUIDE } };
      const field = grain === 'traces' ? 'traceFilterVocabulary' : 'sessionFilterVocabulary';
      const fields = `terms: ${field} { name type description category iterableName }`;
      const { terms } = await askProject<{ readonly terms: unknown[] }>(project_identifier, context, '', fields);
      return { data: { guide: FILTER_GUIDE, terms }, list: 'terms' };
    },
  }),
  defineTool({
    names: ['check-filter'],
    title: 'Check a filter',
    description:
      'Whether a filter is valid, and if not, why; with warnings about names that the project does not have.',
    effect: 'read',
    input: { project_identifier: ProjectParameter, filter: Filter.min(1), grain: Grain },
    output: Row({ isValid: z.boolean().optional() }),
    async run({ project_identifier, filter, grain }, context) {
      const fields = `check: ${VALIDATE[grain]} { ${VALIDATION} }`;
      const { check } = await askProject<{ readonly check: Record<string, unknown> }>(
        project_identifier,
        context,
        ', $filter: String!',
        fields,
        { filter },
      );
      return { data: check };
    },
  }),
  defineTool({
    names: ['get-facets'],
    title: 'Get facets',
    description:
      'The most frequent values of status, kind, name, model, user, session and metadata, with counts, over the newest spans that a filter selects.',
    effect: 'read',
    input: {
      project_identifier: ProjectParameter,
      filter: Filter.default(''),
      start_time: TimeParameter,
      end_time: TimeParameter,
      grain: FacetGrain,
      limit: limitOf(8, 50),
    },
    output: Row({ rowCount: z.number().optional(), facets: z.array(Row()).optional() }),
    async run({ project_identifier, filter, start_time, end_time, grain, limit }, context) {
      const { facets } = await askProject<{ readonly facets: Record<string, unknown> }>(
        project_identifier,
        context,
        ', $filter: String, $range: TimeRange, $grain: RowGrain, $first: Int',
        'facets: spanFacets(filterCondition: $filter, timeRange: $range, grain: $grain, first: $first) { rowCount isNewestOnly facets { field key values { value isText count } } }',
        {
          filter: filter || null,
          range: { start: start_time ?? null, end: end_time ?? null },
          ...{ grain, first: limit },
        },
      );
      return { data: facets, list: 'facets' };
    },
  }),
];
