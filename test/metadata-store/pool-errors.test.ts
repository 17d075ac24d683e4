import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SpandrelError } from '../../src/model/errors.ts';
import { toCallerError } from '../../src/metadata-store/database/pool-errors.ts';

const failure = (code: string | undefined, message: string): Error => Object.assign(new Error(message), { code });
const PLACE = '/data/postgres/.s.PGSQL.5432';

describe('an error of the metadata database', () => {
  for (const code of [
    ...['EAGAIN', 'ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EACCES'],
    ...['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EMFILE', 'ENFILE', 'ENOBUFS'],
    ...['08006', '08P01', '53100', '53200', '53300', '53400', '57P01', '57P02', '57P03', '57P05', '25006', '58030'],
  ]) {
    test(`means an unavailable database, without its location: ${code}`, () => {
      const error = toCallerError(failure(code, `connect ${code} ${PLACE}`));

      assert.ok(error instanceof SpandrelError);
      assert.equal(error.code, 'STORE_UNAVAILABLE');
      assert.equal(error.message, `The metadata database is not available: ${code}`);
    });
  }

  test('means an unavailable database when pg gives no code', () => {
    for (const message of ['Connection terminated unexpectedly', 'Client was closed and is not queryable']) {
      assert.equal((toCallerError(failure(undefined, message)) as SpandrelError).code, 'STORE_UNAVAILABLE');
    }
  });

  test('is an internal error when a statement is wrong', () => {
    for (const code of ['42601', '22P02', '23505', '40001']) {
      const error = failure(code, 'wrong');
      assert.equal(toCallerError(error), error);
    }
  });
});
