import { Type } from '@sinclair/typebox';
import type { UploadPlan, UploadResult, UploadSample } from '../../../model/dataset.ts';
import type { RejectedRow } from '../../../domain/datasets/files/rejected-rows.ts';
import type { TableUploadResult } from '../../../domain/datasets/upload-table.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { Nullable, OneOf } from '../schema.ts';

const StoredJson = Type.Object(
  {
    dataset_id: Type.String(),
    version_id: Type.String(),
    created: Type.Integer(),
    updated: Type.Integer(),
    deleted: Type.Integer(),
  },
  {
    $id: 'StoredUpload',
    description: 'What the upload has stored. An example whose splits alone changed counts as updated.',
  },
);

const ContentJson = Type.Object(
  { input: Type.String(), output: Type.String(), metadata: Type.String() },
  { $id: 'SampleContent', description: 'Texts of JSON. Long ones are cut.' },
);

const SampleJson = Type.Object(
  {
    id: Nullable(Type.String(), {
      description: 'ID that a client assigned, else the global ID. Null for a new example without an ID.',
    }),
    before: Nullable(ContentJson),
    after: Nullable(ContentJson),
  },
  { $id: 'UploadSample' },
);

const PlanJson = Type.Object(
  {
    created_count: Type.Integer(),
    changed_count: Type.Integer(),
    deleted_count: Type.Integer(),
    unchanged_count: Type.Integer(),
    created: Type.Array(SampleJson),
    changed: Type.Array(SampleJson),
    deleted: Type.Array(SampleJson),
  },
  { $id: 'UploadPlan', description: 'What the rows of the file change, with the first examples of each kind.' },
);

export const FileUploadJson = Type.Object(
  {
    stored: Nullable(StoredJson, { description: 'Null if nothing was stored.' }),
    plan: PlanJson,
    rejected_count: Type.Integer({ description: 'Rows that are not examples.' }),
    rejected_rows: Type.Array(
      Type.Object({
        line: Type.Integer({
          description: 'Line on which the row starts, from 1. For Parquet, the number of the row.',
        }),
        reason: Type.String(),
        text: Type.String({ description: 'The row, cut to a limit.' }),
      }),
    ),
  },
  { $id: 'DatasetFileUpload' },
);

export const UploadStateJson = Type.Object(
  {
    phase: OneOf(['receiving', 'reading', 'writing', 'stored', 'planned', 'failed']),
    row_count: Type.Integer({ description: 'Rows read so far.' }),
    problem: Nullable(Type.String(), { description: 'Why it failed. Then nothing is stored.' }),
    stored: Nullable(StoredJson),
  },
  { $id: 'DatasetUploadState' },
);

export const PreviewJson = Type.Object(
  {
    columns: Type.Array(Type.Object({ name: Type.String(), type: Type.String() })),
    row_count: Type.Integer(),
    rows: Nullable(Type.Array(Type.String()), {
      description: 'The first rows as texts of JSON objects. Null if they are in the bytes that were not sent.',
    }),
  },
  { $id: 'ParquetPreview' },
);

export const toFileUploadJson = ({ stored, plan, rejected }: TableUploadResult) => ({
  stored: stored ? toStoredJson(stored) : null,
  plan: toPlanJson(plan),
  rejected_count: rejected.count,
  rejected_rows: rejected.rows.map(({ line, reason, text }: RejectedRow) => ({ line, reason, text })),
});

export const toStoredJson = (result: UploadResult) => ({
  dataset_id: toGlobalId('Dataset', result.datasetRowId),
  version_id: toGlobalId('DatasetVersion', result.versionRowId),
  created: result.createdCount,
  updated: result.updatedCount,
  deleted: result.deletedCount,
});

const toPlanJson = (plan: UploadPlan) => ({
  created_count: plan.createdCount,
  changed_count: plan.changedCount,
  deleted_count: plan.deletedCount,
  unchanged_count: plan.unchangedCount,
  created: plan.created.map(toSampleJson),
  changed: plan.changed.map(toSampleJson),
  deleted: plan.deleted.map(toSampleJson),
});

const toSampleJson = ({ externalId, rowId, before, after }: UploadSample) => ({
  id: externalId ?? (rowId === null ? null : toGlobalId('DatasetExample', rowId)),
  before,
  after,
});
