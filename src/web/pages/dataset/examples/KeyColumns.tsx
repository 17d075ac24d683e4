import * as ariakit from '@ariakit/react';
import { FailureLine } from '../../../components/Failure.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { useLongList } from '../../../components/long-list.tsx';
import { useQuery } from '../../../data/use-query.ts';
import { setSearch } from '../../../router/location.ts';
import { shownPath } from './example-columns.tsx';
import { writePaths } from './example-paths.ts';
import { exampleKeys } from './generated/examples.ts';

interface KeyColumnsProps {
  readonly datasetId: string;
  readonly versionId: string | null;
  readonly paths: readonly (readonly string[])[];
}

/** Chooses columns for values in input, output and metadata. The choice is part of the address. */
export function KeyColumns(props: KeyColumnsProps) {
  return (
    <ariakit.PopoverProvider placement="bottom-end">
      <ariakit.PopoverDisclosure className="button" title="Columns of JSON keys">
        <Icon name="braces" /> <span className="bar-label">Keys</span>
        {props.paths.length > 0 && <strong>{props.paths.length}</strong>}
      </ariakit.PopoverDisclosure>
      <ariakit.Popover
        className="popover label-filter-list"
        gutter={4}
        unmountOnHide
        portal
        aria-label="Columns of keys"
      >
        <Choices {...props} />
      </ariakit.Popover>
    </ariakit.PopoverProvider>
  );
}

const keyOf = (path: readonly string[]): string => JSON.stringify(path);

function Choices({ datasetId, versionId, paths }: KeyColumnsProps) {
  const { data, failure, refetch } = useQuery(exampleKeys, { id: datasetId, versionId });
  const found = data?.node.__typename === 'Dataset' ? data.node.exampleKeys : [];
  const known = new Set(found.map(({ path }) => keyOf(path)));
  // Chosen keys that the sample does not contain can still be removed.
  const all = [...paths.filter((path) => !known.has(keyOf(path))).map((path) => ({ path, count: 0 })), ...found];
  const { shown, search, rest } = useLongList(all, 'keys', ({ path }) => shownPath(path));
  const chosen = new Set(paths.map(keyOf));
  const toggle = (path: readonly string[]) => {
    const next = chosen.has(keyOf(path)) ? paths.filter((each) => keyOf(each) !== keyOf(path)) : [...paths, path];
    setSearch({ columns: writePaths(next) || null }, { replaces: true });
  };
  return (
    <>
      {failure && <FailureLine failure={failure} onRetry={refetch} />}
      {search}
      {data && all.length === 0 && <p className="muted label-none">The examples have no keys.</p>}
      {shown.map(({ path, count }) => (
        <label key={keyOf(path)} className="menu-item">
          <input type="checkbox" checked={chosen.has(keyOf(path))} onChange={() => toggle(path)} />
          <span className="clip mono">{shownPath(path)}</span>
          <span className="grow" />
          <span className="muted">{count}</span>
        </label>
      ))}
      {rest}
    </>
  );
}
