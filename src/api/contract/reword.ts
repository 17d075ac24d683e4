import { type ErrorCode, SpandrelError } from '../../model/errors.ts';

/** Runs an operation. Its errors with this code get the text that the public contract of one API demands. */
export async function reword<Result>(code: ErrorCode, message: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof SpandrelError) || error.code !== code) throw error;
    throw new SpandrelError(code, message, { cause: error });
  }
}
