import { useEffect, useState } from 'react';
import { Failure } from '../../components/Failure.tsx';
import { RequestFailure, send } from '../../data/request.ts';
import { toFailure } from '../../data/use-query.ts';
import { useRetries } from '../../data/use-retries.ts';
import { navigate } from '../../router/location.ts';
import type { RouteParams } from '../../router/match-route.ts';
import { PageHeader } from '../../shell/PageHeader.tsx';
import { completeQuery } from '../../time-range/time-range.ts';
import { redirectProject, redirectSession, redirectSpan, redirectTrace } from './generated/redirects.ts';

/** Opens the page for a link that a client library prints, which holds an ID of the library. */
export function RedirectPage({ params }: { readonly params: RouteParams }) {
  const { noun = '', id = '' } = params;
  const [failure, setFailure] = useState<RequestFailure>();
  const [attempt, setAttempt] = useState(0);
  const retry = () => setAttempt((count) => count + 1);
  useRetries(failure, false, retry);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `attempt` retries the lookup
  useEffect(() => {
    setFailure(undefined);
    findPath(noun, id).then(
      (path) => {
        if (path) navigate(path, { replaces: true });
        else
          setFailure(new RequestFailure('notFound', `No ${noun.replace(/s$/, '')} has the ID ${id}.`, `${noun} ${id}`));
      },
      (error: unknown) => setFailure(toFailure(error)),
    );
  }, [noun, id, attempt]);
  return (
    <>
      <PageHeader crumbs={[{ label: failure?.kind === 'notFound' ? 'Not found' : 'Opening the page…' }]} />
      {failure && <Failure failure={failure} onRetry={retry} />}
    </>
  );
}

const at = (...parts: readonly string[]) => `/projects/${parts.map(encodeURIComponent).join('/')}`;

async function findPath(noun: string, id: string): Promise<string | undefined> {
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
