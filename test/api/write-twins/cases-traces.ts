import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { storeTrace } from './stored-spans.ts';
import type { GraphqlCall, Made, NounTwins, RestCall, World, WriteTwin } from './twins.ts';

const UNKNOWN_TRACE = toGlobalId('Trace', 999_999);
const UNKNOWN_PROJECT = toGlobalId('Project', 999_999);

async function setUp(world: World): Promise<Made> {
  const { data } = await world.rest({ method: 'POST', path: '/v1/projects', body: { name: 'destination' } });
  return { ...(await storeTrace(world)), destination: data.id };
}

/** The project that the trace is in, by whether it is the destination. Null when the trace does not exist. */
async function projectOf(world: World, { traceId, destination }: Made): Promise<unknown> {
  const query = 'query ($id: String!) { getTraceByOtelId(traceId: $id) { project { id } } }';
  const { data } = await world.graphql({ query, variables: { id: traceId } });
  return data.getTraceByOtelId && { isMoved: data.getTraceByOtelId.project.id === destination };
}

const remove = (trace: string): RestCall => ({ method: 'DELETE', path: `/v1/traces/${trace}` });
const deleteMutation = (trace: string): GraphqlCall => ({
  query: 'mutation ($ids: [ID!]!) { deleteTraces(traceIds: $ids) { __typename } }',
  variables: { ids: [trace] },
});

const deleteTrace: WriteTwin = {
  operation: 'deleteTrace',
  mutation: 'deleteTraces',
  cases: [
    {
      title: 'deletes a trace',
      setUp,
      rest: ({ trace }) => remove(trace!),
      graphql: ({ trace }) => deleteMutation(trace!),
      read: projectOf,
    },
    {
      title: 'rejects an unknown trace',
      rest: () => remove(UNKNOWN_TRACE),
      graphql: () => deleteMutation(UNKNOWN_TRACE),
      differs: {
        why: 'GraphQL deletes a list, and an unknown trace makes the list invalid.',
        rest: 'TRACE_NOT_FOUND',
        graphql: 'QUERY_INVALID',
      },
    },
  ],
};

const move = (traces: readonly string[], project: string): RestCall => ({
  method: 'POST',
  path: '/v1/traces/transfer',
  body: { trace_identifiers: traces, destination_project_identifier: project },
});
const moveMutation = (traceIds: readonly string[], projectId: string): GraphqlCall => ({
  query: `mutation ($traceIds: [ID!]!, $projectId: ID!) {
    transferTracesToProject(traceIds: $traceIds, projectId: $projectId) { __typename }
  }`,
  variables: { traceIds, projectId },
});

const transferTraces: WriteTwin = {
  operation: 'transferTraces',
  mutation: 'transferTracesToProject',
  cases: [
    {
      title: 'moves a trace to another project',
      setUp,
      rest: ({ trace, destination }) => move([trace!], destination!),
      graphql: ({ trace, destination }) => moveMutation([trace!], destination!),
      read: projectOf,
    },
    {
      title: 'rejects traces of several projects, and moves none',
      async setUp(world) {
        const made = await setUp(world);
        const other = await storeTrace(world, made.destination);
        return { ...made, other: other.trace! };
      },
      rest: ({ trace, other, destination }) => move([trace!, other!], destination!),
      graphql: ({ trace, other, destination }) => moveMutation([trace!, other!], destination!),
      read: projectOf,
      code: 'QUERY_INVALID',
    },
    {
      title: 'rejects an unknown trace',
      setUp,
      rest: ({ destination }) => move([UNKNOWN_TRACE], destination!),
      graphql: ({ destination }) => moveMutation([UNKNOWN_TRACE], destination!),
      differs: {
        why: 'REST responds 404, GraphQL says that the input is invalid.',
        rest: 'TRACE_NOT_FOUND',
        graphql: 'QUERY_INVALID',
      },
    },
    {
      title: 'rejects an unknown project',
      setUp,
      rest: ({ trace }) => move([trace!], UNKNOWN_PROJECT),
      graphql: ({ trace }) => moveMutation([trace!], UNKNOWN_PROJECT),
      differs: {
        why: 'REST responds 404, GraphQL says that the input is invalid.',
        rest: 'PROJECT_NOT_FOUND',
        graphql: 'QUERY_INVALID',
      },
    },
  ],
};

export const TRACES: NounTwins = {
  twins: [deleteTrace, transferTraces],
  alone: {
    deleteSession: 'GraphQL deletes traces, not sessions.',
    deleteSessions: 'GraphQL deletes traces, not sessions.',
    createSpans: 'GraphQL does not create spans.',
    deleteSpan: 'GraphQL deletes whole traces.',
    importSpans: 'GraphQL does not take files.',
    exportChosenSpans: 'It reads.',
    querySpans: 'It reads.',
    recomputeCosts: 'GraphQL has no mutation for it.',
  },
};
