import { FAILURE_TITLES } from '../components/Failure.tsx';
import { Icon } from '../components/Icon.tsx';
import { useHasMissingPanels } from '../components/missing-panels.ts';
import { checkConnection, useConnection } from '../data/connection.ts';
import { useIsStreamOpen } from '../data/streams/event-stream.ts';
import { usePoll } from '../data/use-poll.ts';
import { useStaleData } from '../data/use-stale-data.ts';

/** Interval at which a page without an event stream checks the connection. */
const CHECK_MS = 10_000;

/** Banner for the whole page: the server is unavailable, or a part of the page could not be read again. */
export function ConnectionBanner() {
  const connection = useConnection();
  const stale = useStaleData();
  const isWaiting = useHasMissingPanels();
  // A page with an event stream notices an outage without a check.
  const isStreamOpen = useIsStreamOpen();
  usePoll(() => void checkConnection(), connection === 'up' && !isStreamOpen ? CHECK_MS : undefined);
  if (connection === 'up' && !stale) return null;
  const cause = connection === 'up' ? FAILURE_TITLES[stale!.kind] : FAILURE_TITLES[connection];
  const consequence =
    connection !== 'up' && isWaiting
      ? 'Missing parts of this page will load when the server responds.'
      : 'The data below may be out of date.';
  return (
    <div className="banner connection-banner" role="alert" title={connection === 'up' ? stale?.message : undefined}>
      <Icon name="warning" size={14} />
      <span className="grow">
        <strong>{cause}.</strong> {consequence} Retrying…
      </span>
      {connection !== 'up' && (
        <button type="button" className="button small" onClick={() => void checkConnection()}>
          Retry now
        </button>
      )}
    </div>
  );
}
