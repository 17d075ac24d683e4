import { Type } from '@sinclair/typebox';
import { SpandrelError } from '../../../model/errors.ts';
import type { NodeIdOf } from '../../../domain/datasets/export-examples.ts';
import type { ExampleSelection } from '../../../domain/datasets/read-examples.ts';
import type { Domain } from '../../../domain/domain.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { encodedAttachment } from '../content-disposition.ts';
import { defineRoute, type RestRoute, TextStream } from '../define-route.ts';
import { rowIdIn } from '../row-id.ts';
import { DATASET_PARAM } from './datasets.ts';

const TEXT = 'text/plain; charset=utf-8';

const FORMS = [
  {
    path: 'csv',
    operationId: 'downloadDatasetCsv',
    summary: 'Download a dataset as CSV',
    description:
      'The file has a column for each leaf of input, output and metadata. Cells contain the stored values unchanged, so that the file can be uploaded again. A text that starts with `=`, `+`, `-` or `@` may be run as a formula by a spreadsheet, so open the download with `spreadsheet=true` there, or import the columns as text.',
    contentType: 'text/csv',
    extension: 'csv',
    write: 'exportCsv',
  },
  {
    path: 'jsonl',
    operationId: 'downloadDatasetJsonLines',
    summary: 'Download a dataset as JSON lines',
    description: 'Each line contains one example.',
    contentType: TEXT,
    extension: 'jsonl',
    write: 'exportJsonLines',
  },
  {
    path: 'jsonl/openai_ft',
    operationId: 'downloadDatasetOpenAiFineTuning',
    summary: 'Download a dataset for fine-tuning with OpenAI',
    description:
      'Each line contains the `messages` of the input, followed by those of the output, and the `tools` of the input.',
    contentType: TEXT,
    extension: 'jsonl',
    write: 'exportOpenAiFineTuning',
  },
  {
    path: 'jsonl/openai_evals',
    operationId: 'downloadDatasetOpenAiEvals',
    summary: 'Download a dataset for OpenAI evals',
    description:
      'Each line contains the `messages` of the input and, as `ideal`, the text of the last message of the output.',
    contentType: TEXT,
    extension: 'jsonl',
    write: 'exportOpenAiEvals',
  },
] as const;

export const datasetExportRoutes = (): RestRoute[] =>
  FORMS.map(({ path, operationId, summary, description, contentType, extension, write }) =>
    defineRoute({
      method: 'GET',
      path: `/v1/datasets/:id/${path}`,
      access: 'viewer',
      operationId,
      tag: 'datasets',
      summary,
      description,
      params: DATASET_PARAM,
      query: Type.Object({
        version_id: Type.Optional(
          Type.String({ description: 'Global ID of the version. Default: the latest version.' }),
        ),
        spreadsheet: Type.Boolean({
          default: false,
          description:
            'For CSV: a text that a spreadsheet would run as a formula starts with an apostrophe. Such a file is not the same when it is uploaded again.',
        }),
      }),
      success: { status: 200, description: 'The file.', contentType },
      errors: { 422: 'Dataset does not exist.' },
      async handle({ domain, params: { id }, query: { version_id: versionId, spreadsheet } }) {
        const { name, selection } = await select(domain, id, versionId);
        return new TextStream(
          { 'content-type': contentType, 'content-disposition': encodedAttachment(name, extension) },
          domain.datasets[write](selection, nodeIdOf, { forSpreadsheet: spreadsheet }),
        );
      },
    }),
  );

const nodeIdOf: NodeIdOf = (rowId) => toGlobalId('DatasetExample', rowId);

/** The selection is undefined, and the export empty, where the dataset does not have the version. */
async function select(
  domain: Domain,
  id: string,
  versionId: string | undefined,
): Promise<{ name: string; selection: ExampleSelection | undefined }> {
  const rowId = rowIdIn('Dataset', id, `Invalid dataset ID format: ${id}`);
  const versionRowId = versionId
    ? rowIdIn('DatasetVersion', versionId, `Invalid dataset version ID format: ${versionId}`)
    : undefined;
  const dataset = await domain.datasets.find({ rowId });
  if (!dataset) throw new SpandrelError('QUERY_INVALID', 'Dataset does not exist.');
  const version = await domain.datasets.findVersion(rowId, versionRowId);
  return { name: dataset.name, selection: version && { datasetRowId: rowId, versionRowId: version.rowId } };
}
