import { ANNOTATION_CONFIG_NAME_BYTES_MAX } from '../../../src/model/limits/reads.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import type { GraphqlCall, Made, NounTwins, RestCall, TwinCase, World, WriteTwin } from './twins.ts';

const PROJECT = toGlobalId('Project', 1);
const UNKNOWN = toGlobalId('FreeformAnnotationConfig', 999);

interface Config {
  readonly name: string;
  readonly values?: readonly { readonly label: string; readonly score?: number }[];
  readonly bounds?: readonly [number, number];
}

/** A categorical config where values are given, else a continuous one. */
const toJson = ({ name, values, bounds = [0, 1] }: Config): object => ({
  name,
  optimization_direction: 'MAXIMIZE',
  ...(values
    ? { type: 'CATEGORICAL', values }
    : { type: 'CONTINUOUS', lower_bound: bounds[0], upper_bound: bounds[1] }),
});
const toInput = ({ name, values, bounds = [0, 1] }: Config): object => {
  const common = { name, optimizationDirection: 'MAXIMIZE' };
  return values
    ? { categorical: { ...common, values } }
    : { continuous: { ...common, lowerBound: bounds[0], upperBound: bounds[1] } };
};

const create = (config: Config): RestCall => ({
  method: 'POST',
  path: '/v1/annotation_configs',
  body: toJson(config),
});
const mutation = (name: string, type: string, fields: string, input: object): GraphqlCall => ({
  query: `mutation ($input: ${type}!) { ${name}(input: $input) { ${fields} } }`,
  variables: { input },
});

async function setUp(world: World): Promise<Made> {
  const config = (await world.rest(create({ name: 'helpful' }))).data.id;
  await world.rest(create({ name: 'taken' }));
  return { config };
}

async function setUpAssigned(world: World): Promise<Made> {
  const made = await setUp(world);
  await world.rest({ method: 'PUT', path: `/v1/projects/${PROJECT}/annotation_configs/${made.config}` });
  return made;
}

/** What both operations that take a config check. */
const CONFIGS: readonly (Pick<TwinCase, 'title' | 'code'> & { readonly config: Config })[] = [
  { title: 'stores a categorical config', config: { name: 'new', values: [{ label: 'a', score: 1 }, { label: 'b' }] } },
  { title: 'stores a continuous config', config: { name: 'new' } },
  { title: 'rejects a name that is taken', config: { name: 'taken' }, code: 'ANNOTATION_CONFIG_NAME_TAKEN' },
  { title: 'rejects the name of notes', config: { name: 'note' }, code: 'ANNOTATION_CONFIG_NAME_TAKEN' },
  {
    title: 'rejects a name that is too long',
    config: { name: 'x'.repeat(ANNOTATION_CONFIG_NAME_BYTES_MAX + 1) },
    code: 'ANNOTATION_CONFIG_INVALID',
  },
  { title: 'rejects no values', config: { name: 'new', values: [] }, code: 'ANNOTATION_CONFIG_INVALID' },
  {
    title: 'rejects a label that is given twice',
    config: { name: 'new', values: [{ label: 'a' }, { label: 'a' }] },
    code: 'ANNOTATION_CONFIG_INVALID',
  },
  {
    title: 'rejects bounds in the wrong order',
    config: { name: 'new', bounds: [1, 0] },
    code: 'ANNOTATION_CONFIG_INVALID',
  },
];

const createConfig: WriteTwin = {
  operation: 'createAnnotationConfig',
  mutation: 'createAnnotationConfig',
  cases: CONFIGS.map(({ config, ...outcome }) => ({
    ...outcome,
    setUp,
    rest: () => create(config),
    graphql: () =>
      mutation('createAnnotationConfig', 'CreateAnnotationConfigInput', 'annotationConfig { __typename }', {
        annotationConfig: toInput(config),
      }),
  })),
};

const replace = (id: string, config: Config) => ({
  rest: (): RestCall => ({ method: 'PUT', path: `/v1/annotation_configs/${id}`, body: toJson(config) }),
  graphql: () =>
    mutation('updateAnnotationConfig', 'UpdateAnnotationConfigInput', 'annotationConfig { __typename }', {
      id,
      annotationConfig: toInput(config),
    }),
});

const replaceConfig: WriteTwin = {
  operation: 'replaceAnnotationConfig',
  mutation: 'updateAnnotationConfig',
  cases: [
    ...CONFIGS.map(
      ({ config, ...outcome }): TwinCase => ({
        ...outcome,
        setUp,
        rest: (made) => replace(made.config!, config).rest(),
        graphql: (made) => replace(made.config!, config).graphql(),
      }),
    ),
    {
      title: 'rejects an unknown config',
      ...replace(UNKNOWN, { name: 'new' }),
      code: 'ANNOTATION_CONFIG_NOT_FOUND',
    },
  ],
};

const deleteConfig: WriteTwin = {
  operation: 'deleteAnnotationConfig',
  mutation: 'deleteAnnotationConfigs',
  cases: [
    { title: 'deletes a config with its assignments', setUp: setUpAssigned, id: (made: Made) => made.config! },
    { title: 'rejects an unknown config', id: () => UNKNOWN, code: 'ANNOTATION_CONFIG_NOT_FOUND' as const },
  ].map(({ id, ...outcome }) => ({
    ...outcome,
    rest: (made) => ({ method: 'DELETE', path: `/v1/annotation_configs/${id(made)}` }),
    graphql: (made) =>
      mutation('deleteAnnotationConfigs', 'DeleteAnnotationConfigsInput', 'annotationConfigs { __typename }', {
        ids: [id(made)],
      }),
  })),
};

const REPETITION = 'GraphQL rejects a repetition; the methods of REST are idempotent (OnRepetition).';

/** A change of one assignment, over both APIs. */
const assignment = (
  [method, name, type]: readonly ['PUT' | 'DELETE', string, string],
  id: (made: Made) => string,
): Pick<TwinCase, 'rest' | 'graphql'> => ({
  rest: (made) => ({ method, path: `/v1/projects/${PROJECT}/annotation_configs/${id(made)}` }),
  graphql: (made) => ({
    query: `mutation ($input: [${type}!]!) { ${name}(input: $input) { project { id } } }`,
    variables: { input: [{ projectId: PROJECT, annotationConfigId: id(made) }] },
  }),
});
const ASSIGN = ['PUT', 'addAnnotationConfigToProject', 'AddAnnotationConfigToProjectInput'] as const;
const UNASSIGN = ['DELETE', 'removeAnnotationConfigFromProject', 'RemoveAnnotationConfigFromProjectInput'] as const;
const configOf = (made: Made): string => made.config!;

const assign: WriteTwin = {
  operation: 'assignAnnotationConfig',
  mutation: 'addAnnotationConfigToProject',
  cases: [
    { title: 'assigns a config to a project', setUp, ...assignment(ASSIGN, configOf) },
    {
      title: 'accepts a repetition over REST alone',
      setUp: setUpAssigned,
      ...assignment(ASSIGN, configOf),
      differs: { why: REPETITION, graphql: 'ANNOTATION_CONFIG_ASSIGNED' },
    },
    {
      title: 'rejects an unknown config',
      ...assignment(ASSIGN, () => UNKNOWN),
      code: 'ANNOTATION_CONFIG_NOT_FOUND',
    },
  ],
};

const unassign: WriteTwin = {
  operation: 'unassignAnnotationConfig',
  mutation: 'removeAnnotationConfigFromProject',
  cases: [
    { title: 'removes a config from a project', setUp: setUpAssigned, ...assignment(UNASSIGN, configOf) },
    {
      title: 'accepts a config that is not assigned over REST alone',
      setUp,
      ...assignment(UNASSIGN, configOf),
      differs: { why: REPETITION, graphql: 'ANNOTATION_CONFIG_NOT_FOUND' },
    },
    {
      title: 'rejects an unknown config',
      ...assignment(UNASSIGN, () => UNKNOWN),
      code: 'ANNOTATION_CONFIG_NOT_FOUND',
    },
  ],
};

export const ANNOTATION_CONFIGS: NounTwins = {
  twins: [createConfig, replaceConfig, deleteConfig, assign, unassign],
  alone: { setProjectAnnotationConfigs: 'GraphQL assigns and removes single configs.' },
};
