import {
  type ExactJson,
  type ExactJsonObject,
  ExactNumber,
  isJsonObject,
  JsonDepthError,
  JsonSizeError,
  JsonSyntaxError,
  toExactJsonText,
} from '../../base/exact-json.ts';
import {
  ANNOTATION_SOURCES,
  ANNOTATOR_KINDS,
  type AnnotationSource,
  type AnnotatorKind,
  type NewAnnotation,
} from '../../model/annotations/annotation.ts';
import { BODY_JSON_DEPTH_MAX } from '../../model/limits/reads.ts';
import { parseLongJson } from '../datasets/files/parse-long-json.ts';
import type { NewSpan } from './new-span.ts';
import { newSpanProblem } from './new-span-problem.ts';

/** A span out of a file, with annotations of it and of its documents. */
export interface ImportedSpan {
  readonly span: NewSpan;
  readonly annotations: readonly ImportedAnnotation[];
}

/** Why a span cannot be stored. */
export interface Problem {
  readonly problem: string;
}

export interface ImportedAnnotation extends NewAnnotation {
  readonly source: AnnotationSource;
}

/** The span of a line (`span-line.ts`), or why there is none that can be stored. */
export function readSpanLine(text: string, valueCountMax: number): Promise<ImportedSpan | Problem> {
  return importedOrProblem(async () => {
    const line = await parseLongJson(text, { depthMax: BODY_JSON_DEPTH_MAX, valueCountMax });
    return isJsonObject(line) ? readSpanObject(line) : { problem: 'it is not a JSON object' };
  });
}

/** The span of an object that has the fields of a line. */
export function readSpanObject(line: ExactJsonObject): ImportedSpan | Problem {
  const imported = { span: readSpan(line), annotations: readAnnotations(line) };
  const problem = newSpanProblem(imported.span);
  return problem === undefined ? imported : { problem };
}

/** Invalid JSON or an invalid field is a problem of one span, not of the file. */
export async function importedOrProblem(read: () => Promise<ImportedSpan | Problem>): Promise<ImportedSpan | Problem> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof FieldError || error instanceof JsonDepthError || error instanceof JsonSizeError)
      return { problem: error.message };
    if (error instanceof JsonSyntaxError) return { problem: `${error.message}: char ${error.offset}` };
    throw error;
  }
}

class FieldError extends Error {}

const SPAN_KIND_KEY = 'openinference.span.kind';

function readSpan(line: ExactJsonObject): NewSpan {
  const attributes = objectOr(line, 'attributes');
  const kind = textOr(line, 'span_kind', 'UNKNOWN');
  return {
    name: textOf(line, 'name'),
    traceId: textOf(line, 'trace_id'),
    spanId: textOf(line, 'span_id'),
    parentId: textOrNull(line, 'parent_id'),
    // The attributes have the sent value, and the field has the value that the store derived from it.
    spanKind: kind === 'UNKNOWN' || Object.hasOwn(attributes, SPAN_KIND_KEY) ? null : kind,
    statusCode: textOr(line, 'status_code', 'UNSET'),
    statusMessage: textOr(line, 'status_message', ''),
    startTimeUnixNano: nanoOf(line, 'start_time_unix_nano'),
    endTimeUnixNano: nanoOf(line, 'end_time_unix_nano'),
    attributes,
    events: objectsOr(line, 'events').map((event) => ({
      name: textOr(event, 'name', ''),
      timeUnixNano: nanoOf(event, 'time_unix_nano'),
      attributes: objectOr(event, 'attributes'),
    })),
  };
}

function readAnnotations(line: ExactJsonObject): ImportedAnnotation[] {
  return objectsOr(line, 'annotations').map((annotation) => ({
    targetId: textOf(line, 'span_id'),
    traceId: textOf(line, 'trace_id'),
    documentPosition: positionOf(annotation),
    name: textOf(annotation, 'name') || wrong('name', 'must not be empty'),
    identifier: textOr(annotation, 'identifier', ''),
    annotatorKind: oneOf<AnnotatorKind>(annotation, 'annotator_kind', ANNOTATOR_KINDS, 'HUMAN'),
    label: textOrNull(annotation, 'label'),
    score: scoreOf(annotation),
    explanation: textOrNull(annotation, 'explanation'),
    metadata: toExactJsonText(objectOr(annotation, 'metadata')),
    source: oneOf<AnnotationSource>(annotation, 'source', ANNOTATION_SOURCES, 'API'),
  }));
}

/** Problem of a field, for `importedOrProblem`. */
export const wrong = (name: string, what: string): never => {
  throw new FieldError(`${name} ${what}`);
};

const fieldOf = (object: ExactJsonObject, name: string): ExactJson => object[name] ?? null;

function textOrNull(object: ExactJsonObject, name: string): string | null {
  const value = fieldOf(object, name);
  return value === null || typeof value === 'string' ? value : wrong(name, 'must be a string');
}

const textOr = (object: ExactJsonObject, name: string, absent: string): string => textOrNull(object, name) ?? absent;

const textOf = (object: ExactJsonObject, name: string): string =>
  textOrNull(object, name) ?? wrong(name, 'must be a string');

/** Decimal text, or a number that is written as an integer. */
function nanoOf(object: ExactJsonObject, name: string): bigint {
  const value = fieldOf(object, name);
  const text = value instanceof ExactNumber ? value.text : String(value);
  return /^-?\d{1,20}$/.test(text) ? BigInt(text) : wrong(name, 'must be nanoseconds since 1970 as decimal text');
}

function objectOr(object: ExactJsonObject, name: string): ExactJsonObject {
  const value = fieldOf(object, name);
  if (value === null) return {};
  return isJsonObject(value) ? value : wrong(name, 'must be an object');
}

function objectsOr(object: ExactJsonObject, name: string): ExactJsonObject[] {
  const value = fieldOf(object, name);
  if (value === null) return [];
  return Array.isArray(value) && value.every(isJsonObject) ? value : wrong(name, 'must be a list of objects');
}

function scoreOf(annotation: ExactJsonObject): number | null {
  const value = fieldOf(annotation, 'score');
  if (value === null) return null;
  const score = typeof value === 'number' || value instanceof ExactNumber ? Number(value) : Number.NaN;
  return Number.isFinite(score) ? score : wrong('score', 'must be a number');
}

function positionOf(annotation: ExactJsonObject): number | null {
  const value = fieldOf(annotation, 'document_position');
  if (value === null) return null;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? value
    : wrong('document_position', 'must be a position from 0');
}

function oneOf<Word extends string>(object: ExactJsonObject, name: string, words: readonly Word[], absent: Word): Word {
  const text = textOr(object, name, absent);
  return words.find((word) => word === text) ?? wrong(name, `must be one of ${words.join(', ')}`);
}
