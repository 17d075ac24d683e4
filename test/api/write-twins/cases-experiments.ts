import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { mutation, type NounTwins, over, UNKNOWN_ROW_ID, type World, type WriteTwin } from './twins.ts';

const UNKNOWN = toGlobalId('Experiment', UNKNOWN_ROW_ID);

/** A dataset with two experiments, the second of which is the baseline. */
async function setUp(world: World) {
  const upload = { name: 'questions', inputs: [{ n: 1 }, { n: 2 }] };
  const uploaded = await world.rest({ method: 'POST', path: '/v1/datasets/upload?sync=true', body: upload });
  const path = `/v1/datasets/${uploaded.data.dataset_id}/experiments`;
  const first = await world.rest({ method: 'POST', path, body: { name: 'first' } });
  const second = await world.rest({ method: 'POST', path, body: { name: 'second' } });
  const tags = `/v1/experiments/${second.data.id}/tags`;
  await world.rest({ method: 'POST', path: tags, body: { name: 'baseline' } });
  return { first: first.data.id, second: second.data.id };
}

const patchExperiment: WriteTwin = {
  operation: 'updateExperiment',
  mutation: 'patchExperiment',
  cases: over<{
    readonly name?: string | null;
    readonly description?: string | null;
    readonly metadata?: object;
    readonly id?: string;
  }>(
    setUp,
    {
      rest: ({ first }, { id = first, ...body }) => ({ method: 'PATCH', path: `/v1/experiments/${id}`, body }),
      graphql: ({ first }, { id = first, ...fields }) =>
        mutation('patchExperiment', 'PatchExperimentInput', 'experiment { id }', { experimentId: id, ...fields }),
    },
    [
      { title: 'changes what is given', fields: { name: 'renamed', description: 'new', metadata: { a: 1 } } },
      { title: 'takes texts as they are', fields: { name: ' padded ', description: ' ' } },
      { title: 'takes an empty name', fields: { name: '' } },
      { title: 'removes a description that is null', fields: { description: null } },
      { title: 'rejects a name that is null', fields: { name: null }, code: 'QUERY_INVALID' },
      { title: 'rejects a change of nothing', fields: {}, code: 'QUERY_INVALID' },
      { title: 'rejects an unknown experiment', fields: { id: UNKNOWN, name: 'new' }, code: 'EXPERIMENT_NOT_FOUND' },
    ],
  ),
};

const deleteExperiments: WriteTwin = {
  operation: 'deleteExperiment',
  mutation: 'deleteExperiments',
  cases: over<{ readonly id?: string }>(
    setUp,
    {
      rest: ({ first }, { id = first }) => ({ method: 'DELETE', path: `/v1/experiments/${id}?delete_project=true` }),
      graphql: ({ first }, { id = first }) =>
        mutation('deleteExperiments', 'DeleteExperimentsInput', 'experiments { id }', { experimentIds: [id] }),
    },
    [
      { title: 'deletes an experiment, over REST with its project on request', fields: {} },
      { title: 'rejects an unknown experiment', fields: { id: UNKNOWN }, code: 'EXPERIMENT_NOT_FOUND' },
    ],
  ),
};

const baseline = (experimentId: string | undefined, isBaseline: boolean) => ({
  query:
    'mutation ($id: ID!, $baseline: Boolean!) { setExperimentBaseline(experimentId: $id, baseline: $baseline) { experiment { id } } }',
  variables: { id: experimentId, baseline: isBaseline },
});

const setBaseline: WriteTwin = {
  operation: 'tagExperiment',
  mutation: 'setExperimentBaseline',
  cases: over<{ readonly id?: string }>(
    setUp,
    {
      rest: ({ first }, { id = first }) => ({
        method: 'POST',
        path: `/v1/experiments/${id}/tags`,
        body: { name: 'baseline' },
      }),
      graphql: ({ first }, { id = first }) => baseline(id, true),
    },
    [
      { title: 'moves the baseline of the dataset', fields: {} },
      { title: 'rejects an unknown experiment', fields: { id: UNKNOWN }, code: 'EXPERIMENT_NOT_FOUND' },
    ],
  ),
};

const unsetBaseline: WriteTwin = {
  operation: 'untagExperiment',
  mutation: 'setExperimentBaseline',
  cases: (
    [
      { title: 'removes the baseline', id: 'second' },
      { title: 'changes nothing for an experiment that is not the baseline', id: 'first' },
      { title: 'rejects an unknown experiment', id: UNKNOWN, code: 'EXPERIMENT_NOT_FOUND' },
    ] as const
  ).map(({ id, ...outcome }) => ({
    ...outcome,
    setUp,
    rest: (made) => ({ method: 'DELETE', path: `/v1/experiments/${made[id] ?? id}/tags/baseline` }),
    graphql: (made) => baseline(made[id] ?? id, false),
  })),
};

const tagMutation = (name: 'tagExperiment' | 'untagExperiment', experimentId: string | undefined, tag: string) => ({
  query: `mutation ($id: ID!, $tag: Identifier!) { ${name}(experimentId: $id, name: $tag) { id } }`,
  variables: { id: experimentId, tag },
});

const tag: WriteTwin = {
  operation: 'tagExperiment',
  mutation: 'tagExperiment',
  cases: over<{ readonly id?: string; readonly name?: string }>(
    setUp,
    {
      rest: ({ first }, { id = first, name = 'best' }) => ({
        method: 'POST',
        path: `/v1/experiments/${id}/tags`,
        body: { name },
      }),
      graphql: ({ first }, { id = first, name = 'best' }) => tagMutation('tagExperiment', id, name),
    },
    [
      { title: 'tags an experiment', fields: {} },
      { title: 'moves a tag of another experiment', fields: { name: 'baseline' } },
      {
        title: 'rejects a name with a blank',
        fields: { name: 'the best' },
        differs: { why: 'Each schema rejects it.', rest: 'REQUEST_INVALID', graphql: 'GRAPHQL_VALIDATION_FAILED' },
      },
      { title: 'rejects an unknown experiment', fields: { id: UNKNOWN }, code: 'EXPERIMENT_NOT_FOUND' },
    ],
  ),
};

const untag: WriteTwin = {
  operation: 'untagExperiment',
  mutation: 'untagExperiment',
  cases: over<{ readonly id?: string; readonly name?: string }>(
    setUp,
    {
      rest: ({ second }, { id = second, name = 'baseline' }) => ({
        method: 'DELETE',
        path: `/v1/experiments/${id}/tags/${name}`,
      }),
      graphql: ({ second }, { id = second, name = 'baseline' }) => tagMutation('untagExperiment', id, name),
    },
    [
      { title: 'removes a tag', fields: {} },
      { title: 'rejects an unknown experiment', fields: { id: UNKNOWN }, code: 'EXPERIMENT_NOT_FOUND' },
    ],
  ),
};

export const EXPERIMENTS: NounTwins = {
  twins: [patchExperiment, deleteExperiments, setBaseline, unsetBaseline, tag, untag],
  alone: {
    addExperimentNote: 'REST has no notes of experiments.',
    patchExperimentNote: 'REST has no notes of experiments.',
    deleteExperimentNote: 'REST has no notes of experiments.',
    createExperiment: 'GraphQL does not create experiments.',
    createExperimentRun: 'GraphQL does not store runs.',
    upsertExperimentEvaluation: 'GraphQL does not store evaluations of runs.',
    dismissExperiment: 'REST does not know ephemeral experiments.',
    reinstateExperiment: 'REST does not know ephemeral experiments.',
    stopExperiment: 'REST has no jobs of experiments.',
    resumeExperiment: 'REST has no jobs of experiments.',
    startExperimentEvaluations: 'REST has no jobs of experiments.',
    annotateExperimentRun: 'REST stores evaluations of runs, not annotations of its caller.',
    deleteExperimentRunAnnotation: 'REST stores evaluations of runs, not annotations of its caller.',
    preferExperimentRun: 'REST has no preferences between runs.',
    deleteExperimentRunPreference: 'REST has no preferences between runs.',
  },
};
