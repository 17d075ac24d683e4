import { fetchResponse, send } from '../../data/request.ts';
import { sampleProject } from './generated/onboarding.ts';
import { SAMPLE_PROJECT, sampleRequests } from './sample-traces.ts';

const WAIT_MS = 200;
const WAIT_COUNT_MAX = 100;

/**
 * Sends the sample as an application would and waits until it can be read.
 *
 * @returns Path of the project in the interface.
 */
export async function loadSampleProject(): Promise<string> {
  const { traces, annotations } = sampleRequests(Date.now());
  await post('v1/traces', traces);
  await post('v1/span_annotations?sync=false', annotations);
  for (let count = 0; count < WAIT_COUNT_MAX; count++) {
    const { getProjectByName: project } = await send(sampleProject, { name: SAMPLE_PROJECT });
    if (project?.hasTraces) return `/projects/${encodeURIComponent(project.id)}?timeRangeKey=1d`;
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
  throw new Error('The sample was sent but is not stored yet. It will appear in the list of projects.');
}

async function post(path: string, body: object): Promise<void> {
  const response = await fetchResponse(path, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
}
