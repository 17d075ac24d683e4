import { SpandrelError } from '../../../model/errors.ts';
import { withGlobalIds } from '../../contract/error-texts.ts';

/**
 * JSON lines about a long write: `{"count":…}` while it runs, then its result, or `{"error":{"code":…,"message":…}}`. The
 * status of the response is sent before the result is known. An unexpected error cuts the connection.
 */
export async function* progressLines(
  run: (onProgress: (count: number) => void) => Promise<object>,
): AsyncGenerator<string> {
  let count = 0;
  let end: { readonly result: object } | { readonly error: unknown } | undefined;
  let wake: (() => void) | undefined;
  void run((done) => {
    count = done;
    wake?.();
  }).then(
    (result) => {
      end = { result };
      wake?.();
    },
    (error: unknown) => {
      end = { error };
      wake?.();
    },
  );
  let sent = -1;
  while (end === undefined) {
    if (count > sent) {
      sent = count;
      yield `${JSON.stringify({ count })}\n`;
    } else {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  yield `${JSON.stringify('result' in end ? end.result : toErrorLine(end.error))}\n`;
}

function toErrorLine(error: unknown): object {
  const told = withGlobalIds(error);
  if (!(told instanceof SpandrelError)) throw error;
  return { error: { code: told.code, message: told.message } };
}
