import type { QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Failure } from '../../components/Failure.tsx';
import { RequestFailure, send } from '../../data/request.ts';
import { useRead } from '../../data/use-query.ts';
import { navigate } from '../../router/location.ts';
import type { RouteParams } from '../../router/match-route.ts';
import { PageHeader } from '../../shell/PageHeader.tsx';
import { completeQuery } from '../../time-range/time-range.ts';
import { promptPath } from '../prompts/prompt-row.ts';
import {
  redirectExample,
  redirectProject,
  redirectPromptTag,
  redirectSession,
  redirectSpan,
  redirectTrace,
} from './generated/redirects.ts';

/** Client libraries print links with the IDs that they know. This page finds the object and opens its page. */
export function RedirectPage({ params }: { readonly params: RouteParams }) {
  const { noun = '', id = '' } = params;
  return <Redirect key={`${noun} ${id}`} place={['redirect', noun, id]} find={() => findPlace(noun, id)} />;
}

/** Finds the version that a tag of a prompt names. */
export function PromptTagRedirectPage({ params }: { readonly params: RouteParams }) {
  const { promptId = '', tagName = '' } = params;
  return (
    <Redirect
      key={`${promptId} ${tagName}`}
      place={['redirect', 'prompts', promptId, tagName]}
      find={() => findTaggedVersion(promptId, tagName)}
    />
  );
}

interface RedirectProps {
  readonly place: QueryKey;
  /** @throws {RequestFailure} */
  readonly find: () => Promise<string>;
}

function Redirect({ place: key, find }: RedirectProps) {
  const { data: place, failure, isStale, refetch } = useRead(key, find, { keeps: false });
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

/** Finds an example by its dataset and the ID that a client assigned. */
export function ExampleRedirectPage({ params }: { readonly params: RouteParams }) {
  const { datasetId = '', externalId = '' } = params;
  return (
    <Redirect
      key={`${datasetId} ${externalId}`}
      place={['redirect', 'example', datasetId, externalId]}
      find={async () => {
        const { getDatasetExampleByExternalId: example } = await send(redirectExample, { datasetId, externalId });
        if (!example) throw new RequestFailure('notFound', `No example of the dataset has the ID ${externalId}.`);
        return `/${['datasets', datasetId, 'examples', example.id].map(encodeURIComponent).join('/')}`;
      }}
    />
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

/** The server says which tag a prompt lacks. @throws {RequestFailure} */
async function findTaggedVersion(id: string, tagName: string): Promise<string> {
  const { node } = await send(redirectPromptTag, { id, tagName });
  if (node.__typename !== 'Prompt') {
    throw new RequestFailure('notFound', `No prompt has the ID ${id}.`, `prompt ${id}`);
  }
  return promptPath(node.id, 'versions', node.version.id);
}
