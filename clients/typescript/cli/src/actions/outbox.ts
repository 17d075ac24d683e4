import { listPendingResults, type PendingResults, sendPendingResults } from '@spandrel/client/experiments';
import { type Action, CommandError } from '../command-line/command.ts';
import { EXIT } from '../exit-codes.ts';
import { toTime } from '../output/text.ts';

const EMPTY = 'The outbox is empty: servers have all results of experiments.';

/** Lists results of experiments that no server has yet. */
export const listOutbox: Action = async ({ client, out }) => {
  const files = await listPendingResults({ client: await client() });
  await out.list(
    toAsync(files),
    [
      { title: 'EXPERIMENT', text: ({ experimentId }) => experimentId ?? '(Python)' },
      { title: 'RUNS', isRight: true, text: ({ runCount }) => runCount },
      { title: 'EVALUATIONS', isRight: true, text: ({ evaluationCount }) => evaluationCount },
      { title: 'CHANGED', text: ({ modifiedAt }) => toTime(modifiedAt.toISOString()) },
      { title: 'THIS SERVER', text: ({ isOfServer }) => (isOfServer ? 'yes' : 'no') },
    ],
    EMPTY,
  );
  if (out.isPretty) for (const { path } of files) out.note(path);
};

async function* toAsync(files: readonly PendingResults[]): AsyncGenerator<PendingResults> {
  yield* files;
}

/** Sends the results of the outbox that belong to the server. Nothing is run. */
export const sendOutbox: Action = async ({ client, argument, out, signal }) => {
  const server = await client();
  const wanted = argument(0);
  const files = (await listPendingResults({ client: server })).filter(
    ({ isOfServer, experimentId }) => isOfServer && (!wanted || experimentId === wanted),
  );
  if (files.length === 0) {
    if (!wanted)
      return out.item({ sentCount: 0, experimentCount: 0 }, () => `Nothing to send to ${server.config.baseUrl}.`);
    throw new CommandError(`The outbox has no results of experiment ${wanted} for this server.`, EXIT.failure);
  }
  const say = (text: string) => out.note(text);
  const silent = () => undefined;
  const logger = { warn: say, error: say, info: silent, log: silent, debug: silent, table: silent };
  let sentCount = 0;
  for (const { experimentId = '' } of files) {
    out.progress(`Sending results of ${experimentId}`);
    sentCount += (await sendPendingResults({ client: server, experimentId, signal, logger })).sentCount;
  }
  await out.item(
    { sentCount, experimentCount: files.length },
    () => `Sent ${sentCount} results of ${files.length} experiments.`,
  );
};
