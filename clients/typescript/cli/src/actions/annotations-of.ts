import type { SpandrelClient } from '@spandrel/client';
import type { Invocation } from '../command-line/command.ts';
import { readPages, toArray } from './pages.ts';

type Noun = 'trace' | 'span' | 'session';
interface Annotation {
  readonly name: string;
}

/** Annotations and notes of one target, each only when its flag asks for them. */
export async function annotationsOf(
  { isSet, signal }: Pick<Invocation, 'isSet' | 'signal'>,
  client: SpandrelClient,
  project: string,
  noun: Noun,
  id: string,
): Promise<{ readonly annotations?: readonly Annotation[]; readonly notes?: readonly Annotation[] }> {
  if (!isSet('include-annotations') && !isSet('include-notes')) return {};
  const path = { project_identifier: project };
  const read = (cursor: string | undefined) => {
    const query = { limit: 1_000, cursor };
    if (noun === 'trace') {
      const params = { path, query: { ...query, trace_ids: [id] } };
      return client.GET('/v1/projects/{project_identifier}/trace_annotations', { params, signal });
    }
    if (noun === 'span') {
      const params = { path, query: { ...query, span_ids: [id] } };
      return client.GET('/v1/projects/{project_identifier}/span_annotations', { params, signal });
    }
    const params = { path, query: { ...query, session_ids: [id] } };
    return client.GET('/v1/projects/{project_identifier}/session_annotations', { params, signal });
  };
  const all: Annotation[] = await toArray(readPages<Annotation>(read));
  const isNote = ({ name }: Annotation) => name === 'note';
  return {
    ...(isSet('include-annotations') && { annotations: all.filter((annotation) => !isNote(annotation)) }),
    ...(isSet('include-notes') && { notes: all.filter(isNote) }),
  };
}
