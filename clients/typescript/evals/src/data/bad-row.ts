import type { InputError } from '../errors.ts';

/** In place of a row that cannot be read. Its evaluations fail with this error; the others go on. */
export class BadRow {
  readonly error: InputError;
  constructor(error: InputError) {
    this.error = error;
  }
}
