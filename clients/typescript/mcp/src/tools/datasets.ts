import { z } from 'zod';
import { type ReadPage, readList } from '../answers/read-list.ts';
import { EXAMPLE_COUNT_MAX, ID_COUNT_MAX } from '../limits.ts';
import {
  bodyOf,
  CursorParameter,
  defineTool,
  Identifier,
  limitOf,
  Row,
  rowsOf,
  type Tool,
  type ToolContext,
  ToolError,
} from '../tool.ts';

const id = { id: z.string() };
const DATASET = { dataset_id: Identifier.optional(), dataset_name: Identifier.optional() };

interface DatasetChoice {
  readonly dataset_id?: string | undefined;
  readonly dataset_name?: string | undefined;
}

/** @throws {ToolError} when the call names no dataset, or one that does not exist */
async function datasetIdOf({ dataset_id, dataset_name }: DatasetChoice, { client, signal }: ToolContext) {
  if (dataset_id !== undefined) return dataset_id;
  if (dataset_name === undefined) throw new ToolError('No dataset. Pass dataset_id or dataset_name.');
  const params = { query: { name: dataset_name, limit: 1 } };
  const { data } = await bodyOf(client.GET('/v1/datasets', { params, signal }));
  const [found] = data;
  if (!found) throw new ToolError(`No dataset is named ${JSON.stringify(dataset_name)}; list-datasets shows them.`);
  return found.id;
}

const JsonRecord = z.record(z.string(), z.unknown());

/** Tools for datasets and experiments. */
export const DATASET_TOOLS: readonly Tool[] = [
  defineTool({
    names: ['list-datasets'],
    title: 'List datasets',
    description: 'Datasets, the newest first.',
    effect: 'read',
    input: { limit: limitOf(100, 500), cursor: CursorParameter },
    output: rowsOf('datasets', id),
    run: ({ limit, cursor }, context) =>
      readList({
        ...{ key: 'datasets', limit, cursor, context },
        read: (query) => bodyOf(context.client.GET('/v1/datasets', { params: { query }, signal: context.signal })),
      }),
  }),
  defineTool({
    names: ['get-dataset', 'get-dataset-examples'],
    title: 'Get a dataset with its examples',
    description: 'A dataset and its examples at a version (default: the latest), page by page.',
    effect: 'read',
    input: {
      ...DATASET,
      version_id: Identifier.optional(),
      splits: z.array(Identifier).max(ID_COUNT_MAX).optional(),
      limit: limitOf(100, 500),
      cursor: CursorParameter,
    },
    output: rowsOf('examples', id),
    async run({ version_id, splits, limit, cursor, ...choice }, context) {
      const { client, signal } = context;
      const path = { id: await datasetIdOf(choice, context) };
      const { data: dataset } = await bodyOf(client.GET('/v1/datasets/{id}', { params: { path }, signal }));
      let versionId = version_id;
      const read: ReadPage = async (page) => {
        const query = { ...page, version_id: versionId, ...(splits && { split: splits }) };
        const body = await bodyOf(client.GET('/v1/datasets/{id}/examples', { params: { path, query }, signal }));
        versionId = body.data.version_id;
        const { next_cursor: next } = body as { readonly next_cursor?: string | null };
        return { data: body.data.examples, next_cursor: next ?? null };
      };
      const found = await readList({ key: 'examples', limit, cursor, context, read });
      return { ...found, data: { dataset, versionId, ...found.data } };
    },
  }),
  defineTool({
    names: ['add-dataset-examples'],
    title: 'Add examples to a dataset',
    description: 'Adds examples to a dataset, which is created when it does not exist. Equal examples are stored once.',
    effect: 'add',
    input: {
      dataset_name: Identifier,
      examples: z
        .array(z.object({ input: JsonRecord, output: JsonRecord, metadata: JsonRecord.optional() }))
        .min(1)
        .max(EXAMPLE_COUNT_MAX),
    },
    output: Row({ datasetId: z.string().optional(), versionId: z.string().optional() }),
    async run({ dataset_name, examples }, { client, signal }) {
      const body = {
        ...{ action: 'append' as const, name: dataset_name },
        inputs: examples.map(({ input }) => input),
        outputs: examples.map(({ output }) => output),
        metadata: examples.map(({ metadata }) => ({ ...metadata, source: 'Synthetic Example added via MCP' })),
      };
      const call = client.POST('/v1/datasets/upload', { params: { query: { sync: true } }, body, signal });
      const { data } = await bodyOf(call);
      return { data: { datasetId: data.dataset_id, versionId: data.version_id } };
    },
  }),
  defineTool({
    names: ['list-experiments-for-dataset', 'get-dataset-experiments'],
    title: 'List experiments of a dataset',
    description: 'Experiments on a dataset, the newest first, with the counts of their runs.',
    effect: 'read',
    input: { ...DATASET, limit: limitOf(100, 500), cursor: CursorParameter },
    output: rowsOf('experiments', id),
    async run({ limit, cursor, ...choice }, context) {
      const path = { dataset_id: await datasetIdOf(choice, context) };
      const read: ReadPage = (query) =>
        bodyOf(
          context.client.GET('/v1/datasets/{dataset_id}/experiments', {
            params: { path, query },
            signal: context.signal,
          }),
        );
      return readList({ key: 'experiments', limit, cursor, context, read });
    },
  }),
  defineTool({
    names: ['get-experiment-by-id'],
    title: 'Get an experiment',
    description: 'An experiment with its runs: input, expected output, output, error and evaluations of each.',
    effect: 'read',
    input: {
      experiment_id: Identifier,
      limit: limitOf(100, 500),
      offset: z.number().int().min(0).default(0).describe('Runs before the first one that is shown.'),
    },
    output: Row({ metadata: Row(id).optional(), experimentResult: z.array(Row()).optional() }),
    async run({ experiment_id, limit, offset }, { client, signal }) {
      const params = { path: { experiment_id } };
      const [{ data: metadata }, runs] = await Promise.all([
        bodyOf(client.GET('/v1/experiments/{experiment_id}', { params, signal })),
        readRuns(experiment_id, { client, signal }),
      ]);
      const shown = runs.slice(offset, offset + limit);
      const restAfter = (count: number) => {
        const next = offset + count;
        return `${runs.length - next} runs after these. Repeat the call with offset ${next}.`;
      };
      return {
        data: { metadata, runCount: runs.length, experimentResult: shown },
        list: 'experimentResult',
        cutList: (count) => ({ data: {}, rest: restAfter(count) }),
        ...(offset + shown.length < runs.length && { rest: restAfter(shown.length) }),
      };
    },
  }),
];

/** Runs of an experiment. One without runs has no document. */
async function readRuns(
  experimentId: string,
  { client, signal }: Pick<ToolContext, 'client' | 'signal'>,
): Promise<unknown[]> {
  const path = `/v1/experiments/${encodeURIComponent(experimentId)}/json`;
  const response = await client.fetch(path, { signal }).catch((error: unknown) => {
    if (error instanceof Error && Reflect.get(error, 'status') === 404) return undefined;
    throw error;
  });
  const runs: unknown = response === undefined ? [] : JSON.parse(await response.text());
  return Array.isArray(runs) ? runs : [];
}
