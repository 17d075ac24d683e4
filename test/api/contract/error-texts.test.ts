import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SpandrelError } from '../../../src/model/errors.ts';
import { ERROR_ROW_COUNT_MAX } from '../../../src/model/limits/datasets.ts';
import { RowError } from '../../../src/model/row-error.ts';
import { type ErrorTexts, withGlobalIds, withTexts } from '../../../src/api/contract/error-texts.ts';

const absent = (...rowIds: number[]) =>
  new RowError('DATASET_NOT_FOUND', 'Dataset', rowIds, (ids) => `Unknown datasets: ${ids}`);

test('an error about rows has row ids below the APIs and global IDs above them', () => {
  const error = withGlobalIds(absent(1, 2));

  assert.equal(absent(1, 2).message, 'Unknown datasets: 1, 2');
  assert(error instanceof SpandrelError);
  assert.deepEqual([error.code, error.message], ['DATASET_NOT_FOUND', 'Unknown datasets: RGF0YXNldDox, RGF0YXNldDoy']);
});

test('an error about many rows names the first of them', () => {
  const error = absent(...Array.from({ length: ERROR_ROW_COUNT_MAX + 1 }, (_, index) => index));

  assert.equal(error.message.split(', ').length, ERROR_ROW_COUNT_MAX);
});

test('an API gives an error the text of its contract by code', async () => {
  const run = (texts: ErrorTexts) => withTexts(texts, () => Promise.reject(absent(1)));

  await assert.rejects(run({ DATASET_NOT_FOUND: 'gone' }), { code: 'DATASET_NOT_FOUND', message: 'gone' });
  await assert.rejects(run(WITH_IDS), { message: 'no RGF0YXNldDox' });
  await assert.rejects(run({ PROMPT_NOT_FOUND: 'gone' }), RowError);
});

const WITH_IDS: ErrorTexts = { DATASET_NOT_FOUND: ({ ids }) => `no ${ids}` };
