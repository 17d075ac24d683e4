import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { storeTrace } from './stored-spans.ts';
import type { GraphqlCall, Made, NounTwins, RestCall, TwinCase, World, WriteTwin } from './twins.ts';

type Target = 'span' | 'trace' | 'session';

const WORDS = {
  span: {
    id: 'spanId',
    gid: 'span',
    type: 'Span',
    input: 'CreateSpanAnnotationInput',
    create: 'createSpanAnnotations',
  },
  trace: {
    id: 'traceId',
    gid: 'trace',
    type: 'Trace',
    input: 'CreateTraceAnnotationInput',
    create: 'createTraceAnnotations',
  },
  session: {
    id: 'sessionId',
    gid: 'session',
    type: 'ProjectSession',
    input: 'CreateProjectSessionAnnotationInput',
    create: 'createProjectSessionAnnotations',
  },
} as const;
/** Names of the target in inputs of GraphQL. */
const TARGET_FIELDS = { span: 'spanId', trace: 'traceId', session: 'projectSessionId' } as const;
const UNKNOWN_ROW = 999_999;

interface Fields {
  readonly name: string;
  readonly label?: string | null;
  readonly score?: number | null;
  readonly explanation?: string | null;
  readonly metadata?: object;
  readonly identifier?: string;
}

const annotate = (target: Target, targetId: string, fields: Fields): RestCall => {
  const { name, label, score, explanation, metadata, identifier } = fields;
  const result = { label, score, explanation };
  return {
    method: 'POST',
    path: `/v1/${target}_annotations?sync=true`,
    body: { data: [{ [`${target}_id`]: targetId, name, annotator_kind: 'CODE', result, metadata, identifier }] },
  };
};

const createMutation = (target: Target, rowId: string, { metadata = {}, ...fields }: Fields): GraphqlCall => {
  const { input: type, create } = WORDS[target];
  const input = { [TARGET_FIELDS[target]]: rowId, annotatorKind: 'CODE', source: 'API', metadata, ...fields };
  // Sessions take one annotation, all others a list.
  const isList = target !== 'session';
  return {
    query: `mutation ($input: ${isList ? `[${type}!]` : type}!) { ${create}(input: $input) { __typename } }`,
    variables: { input: isList ? [input] : input },
  };
};

/** Stored annotations of the target, without what differs from run to run. */
const annotationsOf = (target: Target) => async (world: World, made: Made) => {
  const path = `/v1/projects/default/${target}_annotations?${target}_ids=${made[WORDS[target].id]}&limit=100`;
  const { data } = (await world.get(path)) as { data: Record<string, unknown>[] };
  return data.map(({ id, created_at, updated_at, source, [`${target}_id`]: _, identifier, ...rest }) => ({
    ...rest,
    // Each note has an identifier of its own.
    identifier: String(identifier).replace(/:[\w-]{36}$/, ''),
  }));
};

async function setUp(world: World): Promise<Made> {
  return storeTrace(world);
}

const create = (target: Target): WriteTwin => ({
  operation: `annotate${target.charAt(0).toUpperCase()}${target.slice(1)}s`,
  mutation: WORDS[target].create,
  cases: [
    ...(
      [
        {
          title: 'stores all fields',
          fields: { name: 'q', label: 'a', score: 0.5, explanation: 'why', metadata: { a: 1 } },
        },
        { title: 'stores an identifier', fields: { name: 'q', score: 1, identifier: 'run 1' } },
        {
          title: 'rejects the name of notes',
          fields: { name: 'note', score: 1 },
          code: 'ANNOTATION_NAME_RESERVED',
        },
      ] satisfies readonly (Pick<TwinCase, 'title' | 'code'> & { readonly fields: Fields })[]
    ).map(
      ({ fields, ...outcome }): TwinCase => ({
        ...outcome,
        setUp,
        rest: (made) => annotate(target, made[WORDS[target].id]!, fields),
        graphql: (made) => createMutation(target, made[WORDS[target].gid]!, fields),
        read: annotationsOf(target),
      }),
    ),
    {
      title: target === 'session' ? 'replaces an annotation over REST alone' : 'replaces an annotation',
      async setUp(world) {
        const made = await setUp(world);
        await world.rest(annotate(target, made[WORDS[target].id]!, { name: 'q', score: 0 }));
        return made;
      },
      rest: (made) => annotate(target, made[WORDS[target].id]!, { name: 'q', score: 1 }),
      graphql: (made) => createMutation(target, made[WORDS[target].gid]!, { name: 'q', score: 1 }),
      read: annotationsOf(target),
      ...(target === 'session' && {
        differs: { why: 'The mutation for sessions creates (mustBeNew).', graphql: 'ANNOTATION_EXISTS' as const },
      }),
    },
    {
      title: 'rejects an unknown target',
      rest: () => annotate(target, 'unknown', { name: 'q', score: 1 }),
      graphql: () => createMutation(target, toGlobalId(WORDS[target].type, UNKNOWN_ROW), { name: 'q', score: 1 }),
      code: 'ANNOTATION_TARGET_NOT_FOUND',
    },
  ],
});

const document = (made: Made, position: number): { readonly rest: RestCall; readonly graphql: GraphqlCall } => ({
  rest: {
    method: 'POST',
    path: '/v1/document_annotations?sync=true',
    body: {
      data: [
        {
          span_id: made.spanId,
          document_position: position,
          name: 'relevant',
          annotator_kind: 'LLM',
          result: { score: 1 },
        },
      ],
    },
  },
  graphql: {
    query: `mutation ($input: [CreateDocumentAnnotationInput!]!) {
      createDocumentAnnotations(input: $input) { __typename }
    }`,
    variables: {
      input: [
        {
          spanId: made.span,
          documentPosition: position,
          name: 'relevant',
          annotatorKind: 'LLM',
          source: 'API',
          score: 1,
          metadata: {},
        },
      ],
    },
  },
});

const createOfDocuments: WriteTwin = {
  operation: 'annotateDocuments',
  mutation: 'createDocumentAnnotations',
  cases: [
    { title: 'stores an annotation of a document', position: 1 },
    { title: 'rejects a position beyond the documents', position: 2, code: 'ANNOTATION_INVALID' as const },
    { title: 'rejects a negative position', position: -1, code: 'ANNOTATION_INVALID' as const },
  ].map(({ position, ...outcome }) => ({
    ...outcome,
    setUp,
    rest: (made) => document(made, position).rest,
    graphql: (made) => document(made, position).graphql,
    async read(world, { span }) {
      const query = `query ($id: ID!) { node(id: $id) { ... on Span {
        documentEvaluations { name label score documentPosition annotatorKind identifier }
      } } }`;
      return (await world.graphql({ query, variables: { id: span } })).data;
    },
  })),
};

const NOTES = { span: 'createSpanNote', trace: 'createTraceNote', session: 'createProjectSessionNote' } as const;

const addNote = (target: Target): WriteTwin => {
  const mutation = NOTES[target];
  const type = `C${mutation.slice(1)}Input`;
  const graphql = (id: string): GraphqlCall => ({
    query: `mutation ($input: ${type}!) { ${mutation}(annotationInput: $input) { __typename } }`,
    variables: { input: { [TARGET_FIELDS[target]]: id, note: 'Look here.' } },
  });
  const rest = (id: string): RestCall => ({
    method: 'POST',
    path: `/v1/${target}_notes`,
    body: { data: { [`${target}_id`]: id, note: 'Look here.' } },
  });
  return {
    operation: `add${target.charAt(0).toUpperCase()}${target.slice(1)}Note`,
    mutation,
    cases: [
      {
        title: 'stores a note',
        setUp,
        rest: (made) => rest(made[WORDS[target].id]!),
        graphql: (made) => graphql(made[WORDS[target].gid]!),
        read: annotationsOf(target),
      },
      {
        title: 'rejects an unknown target',
        rest: () => rest('unknown'),
        graphql: () => graphql(toGlobalId(WORDS[target].type, UNKNOWN_ROW)),
        code: 'ANNOTATION_TARGET_NOT_FOUND',
      },
    ],
  };
};

const DELETIONS = {
  span: 'deleteProjectSpanAnnotations',
  trace: 'deleteProjectTraceAnnotations',
  session: 'deleteProjectSessionAnnotations',
} as const;

const deleteOfProject = (target: Target): WriteTwin => {
  const graphql = (projectId: string): GraphqlCall => ({
    query: `mutation ($input: DeleteProjectAnnotationsInput!) { ${DELETIONS[target]}(input: $input) { __typename } }`,
    variables: { input: { projectId, annotationName: 'gone' } },
  });
  const rest = (project: string): RestCall => ({
    method: 'DELETE',
    path: `/v1/projects/${project}/${target}_annotations?name=gone&delete_all=true`,
  });
  const unknown = toGlobalId('Project', UNKNOWN_ROW);
  return {
    operation: `delete${target.charAt(0).toUpperCase()}${target.slice(1)}Annotations`,
    mutation: DELETIONS[target],
    cases: [
      {
        title: 'deletes the annotations of a name',
        async setUp(world) {
          const made = await setUp(world);
          for (const name of ['gone', 'kept']) {
            await world.rest(annotate(target, made[WORDS[target].id]!, { name, score: 1 }));
          }
          return made;
        },
        rest: ({ project }) => rest(project!),
        graphql: ({ project }) => graphql(project!),
        read: annotationsOf(target),
      },
      {
        title: 'rejects an unknown project',
        rest: () => rest(unknown),
        graphql: () => graphql(unknown),
        code: 'PROJECT_NOT_FOUND',
      },
    ],
  };
};

const TARGETS: readonly Target[] = ['span', 'trace', 'session'];
const BY_ROW_ID = 'REST creates and replaces annotations by name and identifier, and deletes them by conditions.';

export const ANNOTATIONS: NounTwins = {
  twins: [
    ...TARGETS.flatMap((target) => [create(target), addNote(target), deleteOfProject(target)]),
    createOfDocuments,
  ],
  alone: {
    patchSpanAnnotations: BY_ROW_ID,
    deleteSpanAnnotations: BY_ROW_ID,
    patchTraceAnnotations: BY_ROW_ID,
    deleteTraceAnnotations: BY_ROW_ID,
    patchDocumentAnnotations: BY_ROW_ID,
    deleteDocumentAnnotations: BY_ROW_ID,
    updateProjectSessionAnnotations: BY_ROW_ID,
    deleteProjectSessionAnnotation: BY_ROW_ID,
  },
};
