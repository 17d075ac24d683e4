import { z } from 'zod';
import { type ReadPage, readList } from '../answers/read-list.ts';
import { ID_COUNT_MAX } from '../limits.ts';
import {
  bodyOf,
  CursorParameter,
  defineTool,
  Identifier,
  limitOf,
  ProjectParameter,
  Row,
  requireProject,
  rowsOf,
  TimeParameter,
  type Tool,
  ToolError,
} from '../tool.ts';
import { readTrace } from './trace-tree.ts';

interface ListedSpan {
  readonly parent_id: string | null;
  readonly name: string;
  readonly span_kind: string;
  readonly status_code: string;
}

interface ListedTrace {
  readonly spans: readonly ListedSpan[] | null;
}

/** A trace without its spans, of which the root and counts are enough to choose one. */
function toTraceRow({ spans, ...trace }: ListedTrace) {
  const root = spans?.find(({ parent_id: parent }) => parent === null);
  return {
    ...trace,
    span_count: spans?.length ?? null,
    error_count: spans?.filter(({ status_code: status }) => status === 'ERROR').length ?? null,
    root_span: root && { name: root.name, span_kind: root.span_kind, status_code: root.status_code },
  };
}

function startOf(since: string | undefined, minutes: number | undefined): string | undefined {
  if (since !== undefined && minutes !== undefined) throw new ToolError('Pass since or last_n_minutes, not both.');
  return minutes === undefined ? since : new Date(Date.now() - minutes * 60_000).toISOString();
}

/** Tools for traces. */
export const TRACE_TOOLS: readonly Tool[] = [
  defineTool({
    names: ['list-traces'],
    title: 'List traces',
    description: 'Traces of a project, the newest first: times, tokens, root span, counts of spans and errors.',
    effect: 'read',
    input: {
      project_identifier: ProjectParameter,
      limit: limitOf(10, 100),
      since: TimeParameter.describe('ISO 8601.'),
      last_n_minutes: z.number().positive().max(525_600).optional(),
      error: z.boolean().optional().describe('Only traces with a failed span, or only those without.'),
      include_annotations: z.boolean().default(false),
      cursor: CursorParameter,
    },
    output: rowsOf('traces', { trace_id: z.string() }),
    async run({ project_identifier, limit, since, last_n_minutes, error, include_annotations, cursor }, context) {
      const { client, signal } = context;
      const path = { project_identifier: requireProject(project_identifier, context) };
      const start_time = startOf(since, last_n_minutes);
      const read: ReadPage = (page) => {
        const query = {
          ...{ ...page, sort: 'start_time' as const, order: 'desc' as const, include_spans: true },
          ...(start_time !== undefined && { start_time }),
          ...(error !== undefined && { error }),
        };
        return bodyOf(client.GET('/v1/projects/{project_identifier}/traces', { params: { path, query }, signal }));
      };
      const found = await readList({ key: 'traces', limit, cursor, context, read, toRow: toTraceRow });
      const ids = (found.data.traces as { readonly trace_id: string }[]).map(({ trace_id: id }) => id);
      if (!include_annotations || ids.length === 0) return found;
      const query = { trace_ids: ids.slice(0, ID_COUNT_MAX), limit: 1_000 };
      const { data: annotations } = await bodyOf(
        client.GET('/v1/projects/{project_identifier}/trace_annotations', { params: { path, query }, signal }),
      );
      return { ...found, data: { ...found.data, annotations } };
    },
  }),
  defineTool({
    names: ['get-trace'],
    title: 'Get the tree of a trace',
    description:
      'Skeleton of a trace: one line a span with kind, name, time, tokens, cost, status and sizes of its bodies, indented below its parent. Bodies are read with get-span-body.',
    effect: 'read',
    input: {
      project_identifier: ProjectParameter,
      trace_id: Identifier.describe('OpenTelemetry trace ID.'),
      include_annotations: z.boolean().default(false),
      offset: z.number().int().min(0).default(0).describe('Lines of the tree before the first one that is shown.'),
    },
    output: Row({
      trace: Row({ traceId: z.string() }).optional(),
      legend: z.string().optional(),
      tree: z.array(z.string()).optional(),
    }),
    run: readTrace,
  }),
];
