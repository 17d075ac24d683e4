import { DEFAULT_PROJECT_NAME } from '../model/projects/project.ts';
import { readKeyValue } from './attributes/append-value.ts';
import { WireReader } from './protobuf/wire-reader.ts';
import * as tags from './protobuf/wire-tags.ts';

/** Consecutive spans of a request that name one project. */
export interface ProjectRange {
  readonly projectName: string;
  /** Indexes of spans in the request. */
  readonly firstSpan: number;
  readonly endSpan: number;
}

/** Ranges of a body that has passed `checkProtobuf` and has no split values. Empty ranges are left out. */
export function findProjectRanges(bytes: Uint8Array, options: ProjectNameOptions): ProjectRange[] {
  const wire = new WireReader(bytes);
  const ranges: ProjectRange[] = [];
  let spanCount = 0;
  for (let at = 0; at < bytes.length; ) {
    const tag = wire.tag(at);
    at = wire.at;
    if (tag === tags.REQUEST_RESOURCE_SPANS) {
      const end = wire.enter(at);
      const start = wire.at;
      const firstSpan = spanCount;
      spanCount += countSpans(wire, start, end);
      if (spanCount > firstSpan) {
        ranges.push({ projectName: findProjectName(wire, start, end, options), firstSpan, endSpan: spanCount });
      }
    }
    at = wire.skip(tag, at);
  }
  return ranges;
}

function countSpans(wire: WireReader, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; ) {
    const tag = wire.tag(at);
    at = wire.at;
    if (tag === tags.RESOURCE_SPANS_SCOPE_SPANS) {
      const scopeEnd = wire.enter(at);
      for (let within = wire.at; within < scopeEnd; ) {
        const inner = wire.tag(within);
        within = wire.at;
        if (inner === tags.SCOPE_SPANS_SPANS) count++;
        within = wire.skip(inner, within);
      }
    }
    at = wire.skip(tag, at);
  }
  return count;
}

export interface ProjectNameOptions {
  /** Whether `service.name` names the project of spans that name none. */
  readonly usesServiceName?: boolean | undefined;
}

/** Project of a `ResourceSpans`, given the bounds of its fields. */
export function findProjectName(
  wire: WireReader,
  start: number,
  end: number,
  { usesServiceName = false }: ProjectNameOptions,
): string {
  const found = findInResources(wire, start, end, PROJECT_NAME);
  if (found !== '') return found;
  return (usesServiceName && findInResources(wire, start, end, SERVICE_NAME)) || DEFAULT_PROJECT_NAME;
}

function findInResources(wire: WireReader, start: number, end: number, key: Buffer): string {
  for (let at = start; at < end; ) {
    const tag = wire.tag(at);
    at = wire.at;
    if (tag === tags.RESOURCE_SPANS_RESOURCE) {
      const name = findInResource(wire, at, key);
      if (name !== '') return name;
    }
    at = wire.skip(tag, at);
  }
  return '';
}

const PROJECT_NAME = Buffer.from('openinference.project.name');
const SERVICE_NAME = Buffer.from('service.name');

/** A text of a resource, or an empty text. */
function findInResource(wire: WireReader, before: number, key: Buffer): string {
  const end = wire.enter(before);
  for (let at = wire.at; at < end; ) {
    const tag = wire.tag(at);
    at = wire.at;
    if (tag === tags.RESOURCE_ATTRIBUTES) {
      const { keyStart, keyEnd, valueStart, valueEnd } = readKeyValue(wire, at);
      const isName = keyEnd - keyStart === key.length && textAt(wire, keyStart, keyEnd).equals(key);
      const name = isName ? stringValue(wire, valueStart, valueEnd) : '';
      if (name !== '') return name;
    }
    at = wire.skip(tag, at);
  }
  return '';
}

/** The text of an AnyValue, or an empty text. */
function stringValue(wire: WireReader, start: number, end: number): string {
  for (let at = start; at < end; ) {
    const tag = wire.tag(at);
    at = wire.at;
    if (tag === tags.ANY_VALUE_STRING) {
      const textEnd = wire.enter(at);
      return textAt(wire, wire.at, textEnd).toString('utf8');
    }
    at = wire.skip(tag, at);
  }
  return '';
}

const textAt = ({ bytes }: WireReader, start: number, end: number): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
