import { useMemo, useState } from 'react';
import { Failure } from '../../components/Failure.tsx';
import { useRead } from '../../data/use-query.ts';
import { useLocation } from '../../router/location.ts';
import type { RouteParams } from '../../router/match-route.ts';
import { PageHeader } from '../../shell/PageHeader.tsx';
import { loadDraft } from './load-draft.ts';
import { Playground } from './Playground.tsx';
import { draftKey, readAddress } from './state/address.ts';
import { ownKey } from './use-draft.ts';

/** Opens what the address names: prompts, a dataset, a recorded call, an experiment, or the newest draft. */
export function PlaygroundPage({ params }: { readonly params: RouteParams }) {
  const { path, search } = useLocation();
  const key = draftKey(path, search);
  // The page writes its prompts into the address, which then is the one that it shows already.
  const [loadKey, setLoadKey] = useState(key);
  if (key !== loadKey && key !== ownKey.current) setLoadKey(key);
  const { spanId } = params;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the address
  const address = useMemo(() => readAddress(search, spanId), [loadKey]);
  const { data, failure, refetch } = useRead(
    ['playground', loadKey],
    (signal) => loadDraft(address, { path, search }, signal),
    { keeps: false },
  );
  if (failure || !data) {
    return (
      <>
        <PageHeader crumbs={[{ label: 'Playground' }]} />
        {failure ? (
          <Failure failure={failure} onRetry={() => void refetch()} />
        ) : (
          <div className="page-body" aria-busy="true" />
        )}
      </>
    );
  }
  return <Playground key={loadKey} loaded={data} path={path} />;
}
