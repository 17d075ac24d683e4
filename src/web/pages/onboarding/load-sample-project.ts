import { send } from '../../data/request.ts';
import { appUrl } from '../../router/app-url.ts';
import { sampleProject } from './generated/onboarding.ts';
import { SAMPLE_PROJECT, sampleRequest } from './sample-traces.ts';

const WAIT_MS = 200;
const WAIT_COUNT_MAX = 100;

/**
 * Sends the sample the way any application sends its traces, and waits until it can be read.
 *
 * @returns The place of the project in the interface.
 */
export async function loadSampleProject(): Promise<string> {
  const response = await fetch(appUrl('v1/traces'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(sampleRequest(Date.now())),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  for (let count = 0; count < WAIT_COUNT_MAX; count++) {
    const { getProjectByName: project } = await send(sampleProject, { name: SAMPLE_PROJECT });
    if (project?.hasTraces) return `/projects/${encodeURIComponent(project.id)}?timeRangeKey=1d`;
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
  throw new Error('It was sent, and is not there yet. It will appear in the list of projects.');
}
