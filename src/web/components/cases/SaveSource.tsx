import { useState } from 'react';
import { send } from '../../data/request.ts';
import { useChange } from '../../data/use-change.ts';
import { formatCount } from '../../format/numbers.ts';
import { Problem } from '../Problem.tsx';
import { toast } from '../toasts.tsx';
import { openDataset } from './add-cases.ts';
import type { ChosenDataset } from './DatasetChoice.tsx';
import { saveDatasetSource } from './generated/cases.ts';
import { type SpanMapping, toSentMapping } from './span-mapping.ts';

interface SaveSourceProps {
  readonly projectId: string;
  readonly filter: string;
  readonly isRootsOnly: boolean;
  readonly dataset: ChosenDataset | undefined;
  readonly mapping: SpanMapping;
  readonly splitNames: readonly string[];
  readonly onSaved: () => void;
}

/** Condition of a source. A table of root spans selects them by their missing parent. */
const toSourceFilter = (filter: string, isRootsOnly: boolean): string =>
  !isRootsOnly ? filter : filter === '' ? 'parent_id is None' : `parent_id is None and (${filter})`;

/** Saves the filter of a table as a source of the chosen dataset. */
export function SaveSource(props: SaveSourceProps) {
  const { projectId, filter, isRootsOnly, dataset, mapping, splitNames, onSaved } = props;
  const [name, setName] = useState('');
  const [isFromNow, setFromNow] = useState(false);
  const { isBusy, problem, run } = useChange();
  const save = () => {
    if (!dataset) return;
    void run(async () => {
      const { id } = await openDataset(dataset);
      const input = {
        projectId,
        datasetId: id,
        name: name.trim(),
        filter: toSourceFilter(filter, isRootsOnly),
        mapping: toSentMapping(mapping),
        splitNames,
        isFromNow,
      };
      const { newMatchCount } = (await send(saveDatasetSource, { input })).saveDatasetSource;
      toast(`Saved the source ${name.trim()} with ${formatCount(newMatchCount)} new matches.`);
    }, onSaved);
  };
  return (
    <details>
      <summary>Save the filter as a source</summary>
      <p className="muted">
        A source keeps the filter and the mapping. Later, one click adds the spans that have matched since then.
      </p>
      <div className="row">
        <input
          className="input grow"
          aria-label="Name of the source"
          placeholder="Name of the source"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <button
          type="button"
          className="button"
          disabled={isBusy || !dataset || name.trim() === ''}
          title={dataset ? undefined : 'Choose a dataset first'}
          onClick={save}
        >
          Save source
        </button>
      </div>
      <label className="row">
        <input type="checkbox" checked={isFromNow} onChange={(event) => setFromNow(event.target.checked)} />
        Only spans that arrive from now on
      </label>
      <Problem text={problem} />
    </details>
  );
}
