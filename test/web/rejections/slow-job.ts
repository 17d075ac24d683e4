import assert from 'node:assert/strict';
import { ACCEPT, readStream } from '../../api/graphql/subscriptions/stream-readers.ts';

/**
 * Starts an experiment, whose calls take a minute, as a job of the server. Returns its ID.
 *
 * @param promptVersionId the stored version of its prompt
 */
export async function startSlowJob(
  url: string,
  datasetId: string,
  { name = 'slow', promptVersionId }: { readonly name?: string; readonly promptVersionId?: string } = {},
): Promise<string> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: ACCEPT.multipart },
    body: JSON.stringify({
      query: `subscription ($input: ChatCompletionOverDatasetInput!) {
        chatCompletionOverDataset(input: $input) {
          ... on ChatCompletionSubscriptionExperiment { experiment { id } } } }`,
      variables: {
        input: {
          ...{ datasetId, promptVersionId, experimentName: name, repetitions: 1 },
          promptVersion: {
            templateFormat: 'MUSTACHE',
            template: { messages: [{ role: 'USER', content: [{ text: { text: '[[latency 60000]]' } }] }] },
            ...{ modelProvider: 'OPENAI', modelName: 'gpt-4o', invocationParameters: { openai: {} } },
          },
        },
      },
    }),
  });
  for await (const found of readStream(response)) {
    if (typeof found === 'string') continue;
    const id = found.payload.data?.chatCompletionOverDataset.experiment?.id;
    assert.ok(id, JSON.stringify(found.payload));
    // The reader leaves the stream, and the job goes on.
    return id;
  }
  return assert.fail('no experiment');
}
