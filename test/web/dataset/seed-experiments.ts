import assert from 'node:assert/strict';

/** Creates a dataset, its experiments and runs over REST. */
export async function seedExperiments(url: string, exampleCount: number, name = 'experiments of the interface') {
  const post = async <Data>(path: string, body: object): Promise<Data> => {
    const response = await fetch(`${url}/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(response.status, 200, await response.clone().text());
    return ((await response.json()) as { readonly data: Data }).data;
  };
  const numbers = Array.from({ length: exampleCount }, (_, number) => ({ number }));
  const { dataset_id: datasetId } = await post<{ dataset_id: string }>('datasets/upload?sync=true', {
    action: 'create',
    name,
    inputs: numbers,
    outputs: numbers,
  });
  const response = await fetch(`${url}/v1/datasets/${datasetId}/examples`);
  const { data } = (await response.json()) as { readonly data: { readonly examples: { readonly id: string }[] } };
  const add = async (experimentName: string, metadata: object = {}): Promise<string> =>
    (await post<{ id: string }>(`datasets/${datasetId}/experiments`, { name: experimentName, metadata })).id;
  /** Adds a run with a score per example from the given one on. Null is a failed run. */
  const addRuns = async (experimentId: string, scores: readonly (number | null)[], from = 0): Promise<void> => {
    const times = { start_time: '2026-01-01T00:00:00Z', end_time: '2026-01-01T00:00:01Z' };
    for (const [index, score] of scores.entries()) {
      const run = await post<{ id: string }>(`experiments/${experimentId}/runs`, {
        ...times,
        dataset_example_id: data.examples[from + index]!.id,
        repetition_number: 1,
        output: score,
        ...(score === null && { error: 'TimeoutError: too slow' }),
      });
      if (score === null) continue;
      const evaluation = { experiment_run_id: run.id, name: 'quality', annotator_kind: 'CODE', ...times };
      await post('experiment_evaluations', { ...evaluation, result: { score } });
    }
  };
  return { datasetId, examples: data.examples, add, addRuns };
}
