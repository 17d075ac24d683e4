import { INDEXED_TEXT_BYTES_MAX } from '../../../src/model/limits/datasets.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import {
  type Made,
  mutation,
  type NounTwins,
  type Outcome,
  over,
  UNKNOWN_ROW_ID,
  type World,
  type WriteTwin,
} from './twins.ts';

const TOO_LONG = 'x'.repeat(INDEXED_TEXT_BYTES_MAX + 1);
const TAKEN = 'taken';

/** Two datasets, the first with two examples; a label and a split of the name `TAKEN`. */
async function setUp(world: World): Promise<Made> {
  const upload = (name: string, inputs: readonly object[]) =>
    world.rest({ method: 'POST', path: '/v1/datasets/upload?sync=true', body: { name, inputs } });
  const dataset = (await upload('questions', [{ n: 1 }, { n: 2 }])).data.dataset_id;
  const other = (await upload(TAKEN, [{ n: 3 }])).data.dataset_id;
  const examples = (await world.get(`/v1/datasets/${dataset}/examples`)) as Examples;
  const elsewhere = (await world.get(`/v1/datasets/${other}/examples`)) as Examples;
  const label = await world.rest({
    method: 'POST',
    path: '/v1/dataset_labels',
    body: { name: TAKEN, color: '#112233' },
  });
  const split = await world.rest({
    method: 'POST',
    path: `/v1/datasets/${dataset}/splits`,
    body: { name: TAKEN, example_ids: [examples.data.examples[0]!.node_id] },
  });
  return {
    dataset,
    first: examples.data.examples[0]!.node_id,
    second: examples.data.examples[1]!.node_id,
    foreign: elsewhere.data.examples[0]!.node_id,
    label: label.data.id,
    split: split.data.id,
  };
}

interface Examples {
  readonly data: { readonly examples: readonly { readonly node_id: string }[] };
}

const unknown = (type: Parameters<typeof toGlobalId>[0]): string => toGlobalId(type, UNKNOWN_ROW_ID);

interface DatasetFields {
  readonly name?: string;
  readonly description?: string | null;
  readonly metadata?: object;
}

const patchDataset: WriteTwin = {
  operation: 'updateDataset',
  mutation: 'patchDataset',
  cases: [
    ...over<DatasetFields>(
      setUp,
      {
        rest: ({ dataset }, fields) => ({ method: 'PATCH', path: `/v1/datasets/${dataset}`, body: fields }),
        graphql: ({ dataset: datasetId }, fields) =>
          mutation('patchDataset', 'PatchDatasetInput', 'dataset { id }', { datasetId, ...fields }),
      },
      [
        { title: 'changes what is given', fields: { name: 'renamed', description: 'new', metadata: { a: 1 } } },
        { title: 'removes a description that is null', fields: { description: null } },
        { title: 'takes a name as it is', fields: { name: ' padded ' } },
        { title: 'rejects an empty name', fields: { name: '' }, code: 'DATASET_UPLOAD_INVALID' },
        { title: 'rejects a name that is too long', fields: { name: TOO_LONG }, code: 'DATASET_UPLOAD_INVALID' },
        { title: 'rejects the name of another dataset', fields: { name: TAKEN }, code: 'DATASET_NAME_TAKEN' },
      ],
    ),
    {
      title: 'rejects an unknown dataset',
      setUp,
      rest: () => ({ method: 'PATCH', path: `/v1/datasets/${unknown('Dataset')}`, body: { name: 'new' } }),
      graphql: () =>
        mutation('patchDataset', 'PatchDatasetInput', 'dataset { id }', { datasetId: unknown('Dataset'), name: 'new' }),
      code: 'DATASET_NOT_FOUND',
    },
  ],
};

const deleteDataset: WriteTwin = {
  operation: 'deleteDataset',
  mutation: 'deleteDataset',
  cases: [
    {
      title: 'deletes a dataset with its versions, examples and experiments',
      setUp,
      rest: ({ dataset }) => ({ method: 'DELETE', path: `/v1/datasets/${dataset}` }),
      graphql: ({ dataset: datasetId }) =>
        mutation('deleteDataset', 'DeleteDatasetInput', 'dataset { id }', { datasetId }),
    },
    {
      title: 'rejects an unknown dataset',
      setUp,
      rest: () => ({ method: 'DELETE', path: `/v1/datasets/${unknown('Dataset')}` }),
      graphql: () =>
        mutation('deleteDataset', 'DeleteDatasetInput', 'dataset { id }', { datasetId: unknown('Dataset') }),
      code: 'DATASET_NOT_FOUND',
    },
  ],
};

interface GroupFields {
  readonly name: string;
  readonly description?: string | null;
  readonly color?: string;
  readonly metadata?: object;
}

const createLabel: WriteTwin = {
  operation: 'createDatasetLabel',
  mutation: 'createDatasetLabel',
  cases: over<GroupFields>(
    setUp,
    {
      rest: (_, fields) => ({ method: 'POST', path: '/v1/dataset_labels', body: { color: '#abcdef', ...fields } }),
      graphql: (_, fields) =>
        mutation('createDatasetLabel', 'CreateDatasetLabelInput', 'datasetLabel { id }', {
          color: '#abcdef',
          ...fields,
        }),
    },
    [
      { title: 'stores name, description and color', fields: { name: 'golden', description: 'the best' } },
      {
        title: 'trims the texts, and a blank description is none',
        fields: { name: '  golden ', description: '  ' },
        stores: {
          dataset_labels: [
            { name: TAKEN, description: null, color: '#112233' },
            { name: 'golden', description: null, color: '#abcdef' },
          ],
        },
      },
      { title: 'rejects an empty name', fields: { name: '' }, code: 'QUERY_INVALID' },
      { title: 'rejects a blank name', fields: { name: '   ' }, code: 'QUERY_INVALID' },
      { title: 'rejects a name that is too long', fields: { name: TOO_LONG }, code: 'DATASET_UPLOAD_INVALID' },
      { title: 'rejects a color that is none', fields: { name: 'golden', color: 'red' }, code: 'QUERY_INVALID' },
      {
        title: 'takes a color in upper case over GraphQL alone',
        fields: { name: 'golden', color: '#ABCDEF' },
        differs: { why: 'The REST contract gives the pattern of a color in lower case.', rest: 'QUERY_INVALID' },
      },
      { title: 'rejects a name that is taken', fields: { name: TAKEN }, code: 'DATASET_LABEL_NAME_TAKEN' },
      { title: 'rejects a taken name with blanks', fields: { name: ` ${TAKEN} ` }, code: 'DATASET_LABEL_NAME_TAKEN' },
    ],
  ),
};

const patchLabel: WriteTwin = {
  operation: 'updateDatasetLabel',
  mutation: 'patchDatasetLabel',
  cases: [
    ...over<{ name?: string | null; description?: string | null; color?: string | null }>(
      setUp,
      {
        rest: ({ label }, fields) => ({ method: 'PATCH', path: `/v1/dataset_labels/${label}`, body: fields }),
        graphql: ({ label }, fields) =>
          mutation('patchDatasetLabel', 'PatchDatasetLabelInput', 'datasetLabel { id }', {
            datasetLabelId: label,
            ...fields,
          }),
      },
      [
        { title: 'changes what is given', fields: { name: 'golden', description: 'new', color: '#abcdef' } },
        { title: 'passes over a name that is null', fields: { name: null, color: '#abcdef' } },
        { title: 'rejects a change of nothing', fields: {}, code: 'QUERY_INVALID' },
        { title: 'rejects a color that is none', fields: { color: 'red' }, code: 'QUERY_INVALID' },
        { title: 'rejects a name that is too long', fields: { name: TOO_LONG }, code: 'DATASET_UPLOAD_INVALID' },
      ],
    ),
    {
      title: 'rejects an unknown label',
      setUp,
      rest: () => ({
        method: 'PATCH',
        path: `/v1/dataset_labels/${unknown('DatasetLabel')}`,
        body: { name: 'golden' },
      }),
      graphql: () =>
        mutation('patchDatasetLabel', 'PatchDatasetLabelInput', 'datasetLabel { id }', {
          datasetLabelId: unknown('DatasetLabel'),
          name: 'golden',
        }),
      code: 'DATASET_LABEL_NOT_FOUND',
    },
  ],
};

const deleteLabel: WriteTwin = {
  operation: 'deleteDatasetLabel',
  mutation: 'deleteDatasetLabels',
  cases: [
    {
      title: 'deletes a label',
      setUp,
      rest: ({ label }) => ({ method: 'DELETE', path: `/v1/dataset_labels/${label}` }),
      graphql: ({ label }) =>
        mutation('deleteDatasetLabels', 'DeleteDatasetLabelsInput', 'datasetLabels { id }', {
          datasetLabelIds: [label],
        }),
    },
    {
      title: 'rejects an unknown label',
      setUp,
      rest: () => ({ method: 'DELETE', path: `/v1/dataset_labels/${unknown('DatasetLabel')}` }),
      graphql: () =>
        mutation('deleteDatasetLabels', 'DeleteDatasetLabelsInput', 'datasetLabels { id }', {
          datasetLabelIds: [unknown('DatasetLabel')],
        }),
      code: 'DATASET_LABEL_NOT_FOUND',
    },
  ],
};

const setLabels: WriteTwin = {
  operation: 'setLabelsOfDataset',
  mutation: 'setDatasetLabels',
  cases: (
    [
      { title: 'replaces the labels of a dataset', ids: ({ dataset, label }) => [dataset!, [label!, label!]] },
      { title: 'takes all labels away', ids: ({ dataset }) => [dataset!, []] },
      {
        title: 'rejects an unknown label',
        ids: ({ dataset, label }) => [dataset!, [label!, unknown('DatasetLabel')]],
        code: 'DATASET_LABEL_NOT_FOUND',
      },
      {
        title: 'rejects an unknown dataset',
        ids: ({ label }) => [unknown('Dataset'), [label!]],
        code: 'DATASET_NOT_FOUND',
      },
    ] satisfies (Outcome & { title: string; ids: (made: Made) => [string, string[]] })[]
  ).map(({ ids, ...outcome }) => ({
    ...outcome,
    setUp,
    rest: (made) => {
      const [dataset, labels] = ids(made);
      return { method: 'PUT', path: `/v1/datasets/${dataset}/labels`, body: { dataset_label_ids: labels } };
    },
    graphql: (made) => {
      const [datasetId, datasetLabelIds] = ids(made);
      return mutation('setDatasetLabels', 'SetDatasetLabelsInput', 'dataset { id }', { datasetId, datasetLabelIds });
    },
  })),
};

const createSplit: WriteTwin = {
  operation: 'createDatasetSplit',
  mutation: 'createDatasetSplitWithExamples',
  cases: over<GroupFields & { readonly examples?: readonly string[] }>(
    setUp,
    {
      rest: (made, { examples = ['first', 'first'], ...fields }) => ({
        method: 'POST',
        path: `/v1/datasets/${made.dataset}/splits`,
        body: { color: '#abcdef', ...fields, example_ids: examples.map((name) => made[name] ?? name) },
      }),
      graphql: (made, { examples = ['first', 'first'], ...fields }) =>
        mutation('createDatasetSplitWithExamples', 'CreateDatasetSplitWithExamplesInput', 'datasetSplit { id }', {
          color: '#abcdef',
          ...fields,
          exampleIds: examples.map((name) => made[name] ?? name),
        }),
    },
    [
      {
        title: 'stores the split with its examples',
        fields: { name: 'train', description: 'to learn from', metadata: { a: 1 } },
      },
      {
        title: 'trims the texts, and a blank description is none',
        fields: { name: ' train ', description: ' ', color: ' red ' },
        stores: {
          dataset_splits: [
            { name: TAKEN, description: null, color: '#33c5e8' },
            { name: 'train', description: null, color: 'red' },
          ],
        },
      },
      { title: 'rejects a blank name', fields: { name: '  ' }, code: 'QUERY_INVALID' },
      { title: 'rejects a blank color', fields: { name: 'train', color: ' ' }, code: 'QUERY_INVALID' },
      { title: 'rejects a name that is too long', fields: { name: TOO_LONG }, code: 'DATASET_UPLOAD_INVALID' },
      { title: 'rejects a name that is taken', fields: { name: TAKEN }, code: 'DATASET_SPLIT_NAME_TAKEN' },
      {
        title: 'rejects an unknown example',
        fields: { name: 'train', examples: ['first', unknown('DatasetExample')] },
        code: 'DATASET_EXAMPLE_NOT_FOUND',
      },
      {
        title: 'takes examples of any dataset over GraphQL alone',
        fields: { name: 'train', examples: ['foreign'] },
        differs: { why: 'The REST route is of one dataset.', rest: 'DATASET_EXAMPLE_NOT_FOUND' },
      },
    ],
  ),
};

const patchSplit: WriteTwin = {
  operation: 'updateDatasetSplit',
  mutation: 'patchDatasetSplit',
  cases: [
    ...over<{ name?: string | null; description?: string | null; color?: string | null; metadata?: object }>(
      setUp,
      {
        rest: ({ dataset, split }, fields) => ({
          method: 'PATCH',
          path: `/v1/datasets/${dataset}/splits/${split}`,
          body: fields,
        }),
        graphql: ({ split }, fields) =>
          mutation('patchDatasetSplit', 'PatchDatasetSplitInput', 'datasetSplit { id }', {
            datasetSplitId: split,
            ...fields,
          }),
      },
      [
        { title: 'changes what is given', fields: { name: 'train', description: 'new', color: 'blue' } },
        { title: 'changes nothing when nothing is given', fields: {} },
        {
          title: 'trims the texts, and a blank description is none',
          fields: { name: ' train ', description: ' ', color: ' red ' },
        },
        { title: 'rejects a blank name', fields: { name: ' ' }, code: 'QUERY_INVALID' },
        { title: 'rejects a blank color', fields: { color: ' ' }, code: 'QUERY_INVALID' },
        { title: 'rejects a name that is too long', fields: { name: TOO_LONG }, code: 'DATASET_UPLOAD_INVALID' },
        {
          title: 'passes over a name that is null over GraphQL alone',
          fields: { name: null },
          differs: { why: 'The REST contract rejects null, the GraphQL contract ignores it.', rest: 'QUERY_INVALID' },
        },
      ],
    ),
    {
      title: 'rejects an unknown split',
      setUp,
      rest: ({ dataset }) => ({
        method: 'PATCH',
        path: `/v1/datasets/${dataset}/splits/${unknown('DatasetSplit')}`,
        body: { name: 'train' },
      }),
      graphql: () =>
        mutation('patchDatasetSplit', 'PatchDatasetSplitInput', 'datasetSplit { id }', {
          datasetSplitId: unknown('DatasetSplit'),
          name: 'train',
        }),
      code: 'DATASET_SPLIT_NOT_FOUND',
    },
  ],
};

const deleteSplit: WriteTwin = {
  operation: 'deleteDatasetSplit',
  mutation: 'deleteDatasetSplits',
  cases: [
    {
      title: 'deletes a split; its examples stay',
      setUp,
      rest: ({ dataset, split }) => ({ method: 'DELETE', path: `/v1/datasets/${dataset}/splits/${split}` }),
      graphql: ({ split }) =>
        mutation('deleteDatasetSplits', 'DeleteDatasetSplitInput', 'datasetSplits { id }', {
          datasetSplitIds: [split],
        }),
    },
    {
      title: 'rejects an unknown split',
      setUp,
      rest: ({ dataset }) => ({
        method: 'DELETE',
        path: `/v1/datasets/${dataset}/splits/${unknown('DatasetSplit')}`,
      }),
      graphql: () =>
        mutation('deleteDatasetSplits', 'DeleteDatasetSplitInput', 'datasetSplits { id }', {
          datasetSplitIds: [unknown('DatasetSplit')],
        }),
      code: 'DATASET_SPLIT_NOT_FOUND',
    },
  ],
};

export const DATASETS: NounTwins = {
  twins: [
    patchDataset,
    deleteDataset,
    createLabel,
    patchLabel,
    deleteLabel,
    setLabels,
    createSplit,
    patchSplit,
    deleteSplit,
  ],
  alone: {
    uploadDataset: 'GraphQL adds examples without the rules of an upload: no pairing by content, no splits.',
    uploadDatasetFile: 'As uploadDataset.',
    previewParquetFile: 'A file is uploaded over REST alone.',
    uploadSpansToDataset: 'As uploadDataset: examples are paired by content.',
    createSample: 'REST has no route for the sample.',
    deleteSample: 'REST has no route for the sample.',
    addSpanExample: 'REST adds what a mapping makes, not edited content.',
    rememberSpanMapping: 'REST has no route for the mapping of a project.',
    saveDatasetSource: 'REST has no route that saves sources.',
    deleteDatasetSource: 'REST has no route that deletes sources.',
    addSpansAsExamples: 'GraphQL adds spans without a mapping, and without progress.',
    addNewMatchesOfSource: 'GraphQL has no mutation for long writes with progress.',
    createDataset: 'REST makes a dataset by its first upload.',
    addSpansToDataset: 'See uploadSpansToDataset.',
    addExamplesToDataset: 'See uploadDataset.',
    patchDatasetExamples: 'REST revises examples by an upload.',
    deleteDatasetExamples: 'REST deletes examples by an upload.',
    saveDatasetExamples: 'See patchDatasetExamples and deleteDatasetExamples.',
    restoreDatasetVersion: 'REST restores no versions.',
    changeDatasetExampleSplits: 'REST changes the examples of a split, not the splits of an example.',
    addLabelToDataset: 'GraphQL replaces all labels of a dataset.',
    removeLabelFromDataset: 'GraphQL replaces all labels of a dataset.',
    createDatasetSplit:
      'Its twin is createDatasetSplitWithExamples; the mutation of this name is that one without examples.',
    setDatasetExampleSplits: 'REST changes the examples of a split, not the splits of an example.',
    setDatasetExamplesSplits: 'See setDatasetExampleSplits.',
  },
};
