import { useEffect } from 'react';
import { Failure } from '../../components/Failure.tsx';
import { RequestFailure, send } from '../../data/request.ts';
import { useRead } from '../../data/use-query.ts';
import { navigate } from '../../router/location.ts';
import type { RouteParams } from '../../router/match-route.ts';
import { PageHeader } from '../../shell/PageHeader.tsx';
import { completeQuery } from '../../time-range/time-range.ts';
import { redirectProject, redirectSession, redirectSpan, redirectTrace } from './generated/redirects.ts';

/** Client libraries print links with the IDs that they know. This page finds the object and opens its page. */
export function RedirectPage({ params }: { readonly params: RouteParams }) {
  const { noun = '', id = '' } = params;
  const {
    data: place,
    failure,
    isStale,
    refetch,
  } = useRead(['redirect', noun, id], () => findPlace(noun, id), { keeps: false });
  useEffect(() => {
    if (place !== undefined && !isStale) navigate(place, { replaces: true });
  }, [place, isStale]);
  return (
    <>
      <PageHeader crumbs={[{ label: failure?.kind === 'notFound' ? 'Not found' : 'Searching' }]} />
      {failure && <Failure failure={failure} onRetry={refetch} />}
    </>
  );
}

const at = (...parts: readonly string[]) => `/projects/${parts.map(encodeURIComponent).join('/')}`;

/** @throws {RequestFailure} */
async function findPlace(noun: string, id: string): Promise<string> {
  const place = await lookUp(noun, id);
  if (place === undefined) {
    throw new RequestFailure('notFound', `No ${noun.replace(/s$/, '')} has the ID ${id}.`, `${noun} ${id}`);
  }
  return place;
}

async function lookUp(noun: string, id: string): Promise<string | undefined> {
  switch (noun) {
    case 'spans': {
      const { getSpanByOtelId: span } = await send(redirectSpan, { id });
      return span
        ? `${at(span.project.id, 'spans', span.context.traceId)}?selectedSpanNodeId=${encodeURIComponent(span.id)}`
        : undefined;
    }
    case 'traces': {
      const { getTraceByOtelId: trace } = await send(redirectTrace, { id });
      return trace ? at(trace.projectId, 'traces', trace.traceId) : undefined;
    }
    case 'sessions': {
      const { getProjectSessionById: session } = await send(redirectSession, { id });
      return session ? at(session.project.id, 'sessions', session.id) : undefined;
    }
    case 'projects': {
      const { getProjectByName: project } = await send(redirectProject, { id });
      return project ? `${at(project.id)}?${completeQuery('')}` : undefined;
    }
    default:
      return undefined;
  }
}
