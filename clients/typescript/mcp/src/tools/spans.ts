import { queryGraphql } from '@spandrel/client';
import { z } from 'zod';
import { windowOf } from '../answers/clip.ts';
import { type ReadPage, readList } from '../answers/read-list.ts';
import { ID_COUNT_MAX, WINDOW_CHARS } from '../limits.ts';
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
  type ToolContext,
  ToolError,
} from '../tool.ts';
import { readAnnotationsOf } from './span-details.ts';

const Names = z.array(Identifier).max(ID_COUNT_MAX).optional();

interface ShownSpan {
  readonly context: { readonly span_id: string };
}

/** The call that reads a shortened text of a listed span. */
function howToRead(spans: readonly ShownSpan[]) {
  return ([list, index, field, key]: readonly string[]): string | undefined => {
    const span = list === 'spans' ? spans[Number(index)] : undefined;
    if (!span || field !== 'attributes' || key === undefined) return undefined;
    return `Call get-span-body with span_id "${span.context.span_id}" and path ${JSON.stringify(key)}.`;
  };
}

interface BodySpan {
  readonly name: string;
  readonly statusMessage: string;
  readonly attributes: string;
  readonly events: readonly unknown[];
  readonly project: { readonly id: string; readonly name: string };
}

const SPAN = `query ($spanId: String!) {
  getSpanByOtelId(spanId: $spanId) {
    name statusMessage attributes events { name message timestamp attributes } project { id name }
  }
}`;

/** Bodies of a span by dotted path: attributes, `status_message` and `events`. */
async function readBodies(spanId: string, project: string | undefined, context: ToolContext) {
  const { getSpanByOtelId: span } = await queryGraphql<{ readonly getSpanByOtelId: BodySpan | null }>(context, SPAN, {
    spanId: spanId.toLowerCase(),
  });
  if (!span || (project !== undefined && project !== span.project.name && project !== span.project.id)) {
    throw new ToolError(`No span ${spanId}${project ? ` in project ${project}` : ''}; get-trace shows their IDs.`);
  }
  const bodies = new Map<string, string>();
  collect(JSON.parse(span.attributes), '', bodies);
  if (span.statusMessage) bodies.set('status_message', span.statusMessage);
  if (span.events.length > 0) bodies.set('events', JSON.stringify(span.events));
  return { name: span.name, bodies };
}

/** Leaves by dotted path, so that a conversation is read message by message. */
function collect(value: unknown, path: string, bodies: Map<string, string>): void {
  const isLeaf = typeof value !== 'object' || value === null;
  const entries = isLeaf ? [] : Object.entries(value);
  // A list of plain values, such as tags or a vector, is one body.
  const isPlainList = Array.isArray(value) && value.every((item) => typeof item !== 'object');
  if (isLeaf || isPlainList || entries.length === 0) {
    if (path) bodies.set(path, typeof value === 'string' ? value : JSON.stringify(value));
    return;
  }
  for (const [key, item] of entries) collect(item, path ? `${path}.${key}` : key, bodies);
}

/** Tools for spans, their bodies and annotations. */
export const SPAN_TOOLS: readonly Tool[] = [
  defineTool({
    names: ['get-spans'],
    title: 'Get spans',
    description: 'Spans of a project with their attributes, the newest first. search-spans takes a filter instead.',
    effect: 'read',
    input: {
      project_identifier: ProjectParameter,
      start_time: TimeParameter,
      end_time: TimeParameter,
      trace_ids: Names,
      parent_id: Identifier.nullable().optional().describe('Span ID of the parent; null for root spans.'),
      names: Names,
      span_kinds: Names,
      status_codes: Names,
      cursor: CursorParameter,
      limit: limitOf(100, 1_000),
      include_annotations: z.boolean().default(false),
    },
    output: rowsOf('spans', { id: z.string() }),
    async run({ project_identifier, cursor, limit, include_annotations, ...filter }, context) {
      const { client, signal } = context;
      const project = requireProject(project_identifier, context);
      const query = {
        ...(filter.start_time && { start_time: filter.start_time }),
        ...(filter.end_time && { end_time: filter.end_time }),
        ...(filter.trace_ids && { trace_id: filter.trace_ids }),
        ...(filter.parent_id !== undefined && { parent_id: filter.parent_id ?? 'null' }),
        ...(filter.names && { name: filter.names }),
        ...(filter.span_kinds && { span_kind: filter.span_kinds }),
        ...(filter.status_codes && { status_code: filter.status_codes }),
      };
      const path = { project_identifier: project };
      const read: ReadPage = (page) => {
        const params = { path, query: { ...query, ...page } };
        return bodyOf(client.GET('/v1/projects/{project_identifier}/spans', { params, signal }));
      };
      const found = await readList({ key: 'spans', limit, cursor, context, read });
      const spans = found.data.spans as readonly ShownSpan[];
      const described = { ...found, howToRead: howToRead(spans) };
      if (!include_annotations) return described;
      const ids = spans.map(({ context: { span_id: id } }) => id);
      return { ...described, data: { ...found.data, annotations: await readAnnotationsOf(ids, project, context) } };
    },
  }),
  defineTool({
    names: ['get-span-body'],
    title: 'Read a body of a span in windows',
    description:
      'Without path: the bodies of a span (attributes, events, status message) with their sizes. With path, such as output.value or llm.input_messages.0.message.content: a window of its text.',
    effect: 'read',
    input: {
      project_identifier: ProjectParameter,
      span_id: Identifier.describe('OpenTelemetry span ID.'),
      path: Identifier.optional(),
      offset: z.number().int().min(0).default(0).describe('Characters before the window.'),
      length: z.number().int().min(1).max(100_000).default(WINDOW_CHARS).describe('Characters of the window.'),
    },
    output: Row({ name: z.string().optional(), text: z.string().optional() }),
    async run({ project_identifier, span_id, path, offset, length }, context) {
      const { name, bodies } = await readBodies(span_id, project_identifier, context);
      if (path === undefined) {
        const sizes = [...bodies].map(([key, text]) => ({ path: key, characters: text.length }));
        return { data: { name, bodies: sizes }, list: 'bodies' };
      }
      const text = bodies.get(path);
      if (text === undefined) {
        throw new ToolError(`The span has no body ${path}. Call get-span-body without path for the list.`);
      }
      // Escapes in JSON make a text longer, and control characters six times as long.
      const window = fitWindow(text, offset, length, context.dataChars - 400);
      const next = window.end < text.length ? window.end : null;
      return {
        data: {
          ...{ path, offset: window.start, characters: text.length, nextOffset: next, text: window.text },
        },
        ...(next !== null && {
          omitted: [`${text.length - next} characters after these. Repeat the call with offset ${next}.`],
        }),
      };
    },
  }),
  defineTool({
    names: ['get-span-annotations'],
    title: 'Get annotations of spans',
    description: 'Annotations of spans: scores, labels and explanations of people, code and models.',
    effect: 'read',
    input: {
      project_identifier: ProjectParameter,
      span_ids: z.array(Identifier).min(1).max(ID_COUNT_MAX),
      include_annotation_names: Names,
      exclude_annotation_names: Names,
      cursor: CursorParameter,
      limit: limitOf(100, 1_000),
    },
    output: rowsOf('annotations', { id: z.string() }),
    run({ project_identifier, cursor, limit, ...query }, context) {
      const path = { project_identifier: requireProject(project_identifier, context) };
      const read: ReadPage = (page) =>
        bodyOf(
          context.client.GET('/v1/projects/{project_identifier}/span_annotations', {
            params: { path, query: { ...query, ...page } as never },
            signal: context.signal,
          }),
        );
      return readList({ key: 'annotations', limit, cursor, context, read });
    },
  }),
];

/** A window whose JSON has at most `chars` characters. */
export function fitWindow(text: string, offset: number, length: number, chars: number) {
  let window = windowOf(text, offset, Math.min(length, chars));
  while (JSON.stringify(window.text).length > chars && window.text.length > 2) {
    window = windowOf(text, offset, Math.floor(window.text.length / 2));
  }
  return window;
}
