import { useState } from 'react';
import { ActionMenu } from '../../../components/ActionMenu.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { toast, toastFailure } from '../../../components/toasts.tsx';
import { download } from '../../../data/download.ts';
import { toFailure } from '../../../data/request.ts';
import type { ComparisonAddress, RowSort } from '../address.ts';
import { toExportQuery } from './export-query.ts';

interface ExportMenuProps {
  readonly address: ComparisonAddress;
  readonly sort: RowSort | 'none';
}

/** Downloads the rows that the grid shows as CSV, or the comparison as one HTML file. */
export function ExportMenu({ address, sort }: ExportMenuProps) {
  const [running, setRunning] = useState<AbortController>();
  const start = async (file: 'csv' | 'report') => {
    const controller = new AbortController();
    setRunning(controller);
    const path = `v1/experiment_comparisons/${file}?${toExportQuery(address, sort, file)}`;
    try {
      await download({ path }, file === 'csv' ? 'comparison.csv' : 'comparison.html', controller.signal, () => {});
      toast('The export is complete.');
    } catch (error) {
      if (!controller.signal.aborted) toastFailure(`The export failed: ${toFailure(error).message}`);
    } finally {
      setRunning(undefined);
    }
  };
  if (running) {
    return (
      <button type="button" className="button" onClick={() => running.abort()}>
        Cancel the export
      </button>
    );
  }
  return (
    <ActionMenu
      button={
        <button type="button" className="button">
          <Icon name="download" size={14} /> Export
        </button>
      }
      actions={[
        { label: 'Rows of the grid as CSV', onSelect: () => void start('csv') },
        { label: 'Report as one HTML file', onSelect: () => void start('report') },
      ]}
    />
  );
}
