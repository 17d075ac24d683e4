import { invalidate } from '../../data/query-client.ts';
import { send, toFailure } from '../../data/request.ts';
import { navigate } from '../../router/location.ts';
import { toast, toastFailure } from '../toasts.tsx';
import { createSample } from './generated/sample.ts';

/** Path of the comparison of experiments, the baseline first. */
export const comparisonPath = (datasetId: string, experimentIds: readonly string[]): string =>
  `/datasets/${encodeURIComponent(datasetId)}/compare?${new URLSearchParams(experimentIds.map((id) => ['experiment', id]))}`;

/** Creates the sample, or its missing parts, and offers the comparison of its experiments. */
export async function loadSample(): Promise<void> {
  try {
    const { dataset, experiments } = (await send(createSample, {})).createSample;
    void invalidate();
    navigate(`/datasets/${encodeURIComponent(dataset.id)}/experiments`);
    const compare = () =>
      navigate(
        comparisonPath(
          dataset.id,
          experiments.map(({ id }) => id),
        ),
      );
    toast('Created the sample: 40 questions, 3 prompt versions, 2 experiments.', {
      label: 'Compare experiments',
      run: compare,
    });
  } catch (error) {
    toastFailure(`The sample could not be created: ${toFailure(error).message}`);
  }
}
