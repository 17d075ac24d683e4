import { Component, type ReactNode } from 'react';
import { Reports, ReportsContext, useReports } from '../data/failed-parts.ts';
import type { FailureKind } from '../data/failure-kinds.ts';
import type { RequestFailure } from '../data/request.ts';
import { Link } from '../router/Link.tsx';
import { useSharedFailure } from './failure-group.ts';
import { Icon } from './Icon.tsx';
import { useMissingPanel } from './missing-panels.ts';
import { Problem } from './Problem.tsx';
import './failures.css';

export const FAILURE_TITLES: Readonly<Record<FailureKind, string>> = {
  unreachable: 'The server cannot be reached',
  unavailable: 'The server is starting, or one of its databases is not available',
  timedOut: 'The request took too long',
  notFound: 'Not found',
  malformed: 'The address contains an invalid ID',
  unopenable: 'This link cannot be opened here',
  tooEarly: 'The request came too early',
  rejected: 'The request failed',
};

const ADVICE: Readonly<Record<FailureKind, string>> = {
  unreachable: 'The server may be restarting, or the network may be down. No data is lost.',
  unavailable: '',
  timedOut: 'Select a shorter time range, or try again when the server is less busy.',
  notFound: 'It may have been deleted, or the address may be wrong.',
  malformed:
    'IDs of projects, sessions and spans consist of letters and digits, such as UHJvamVjdDox. Check that the whole ID was copied.',
  unopenable: '',
  tooEarly: 'Try again in a few seconds.',
  rejected: '',
};

interface FailureProps {
  /** Title when the server rejects user input. */
  readonly rejectedTitle?: string;
  /** Clears the filter of the failed read. Undefined without a filter. */
  readonly onClearFilter?: (() => void) | undefined;
  readonly failure: RequestFailure;
  readonly onRetry?: (() => void) | undefined;
}

/**
 * Message in a part of a page that could not be read, unless another part shows the same message. During an outage of
 * the server, the banner at the top shows the message, and the part waits and retries automatically.
 */
export function Failure({ failure, onRetry, rejectedTitle, onClearFilter }: FailureProps) {
  const { kind, message, detail } = failure;
  const isWaiting = failure.isOutage;
  useMissingPanel(isWaiting);
  const { isFirst, retry } = useSharedFailure(isWaiting ? undefined : message, true, onRetry);
  if (isWaiting) return <div className="failure-waiting skeleton" role="status" aria-label="Waiting for the server" />;
  if (!isFirst) {
    return (
      <div
        className="failure-again"
        role="img"
        aria-label="Failed for the reason that is shown elsewhere on this page"
        title={message}
      >
        <Icon name="warning" size={16} />
      </div>
    );
  }
  // A retry cannot help here.
  const isOfAddress = kind === 'notFound' || kind === 'malformed' || kind === 'unopenable';
  const isOfFilter = kind === 'rejected' && onClearFilter !== undefined;
  const ofInput = isOfFilter ? 'The filter cannot be applied' : kind === 'rejected' ? rejectedTitle : undefined;
  return (
    <div className="failure" role="alert">
      <Icon name={isOfAddress ? 'search' : 'warning'} size={24} />
      <h2>{ofInput ?? FAILURE_TITLES[kind]}</h2>
      <p>{ADVICE[kind] || message}</p>
      {isOfFilter && <p>Correct the filter above, or clear it to see all rows.</p>}
      <div className="row">
        {isOfFilter && (
          <button type="button" className="button" onClick={onClearFilter}>
            Clear filter
          </button>
        )}
        {onRetry && !isOfAddress && !isOfFilter && (
          <button type="button" className="button" onClick={retry}>
            <Icon name="refresh" /> Try again
          </button>
        )}
        {isOfAddress && (
          <Link className="button" to="/projects">
            All projects
          </Link>
        )}
      </div>
      {(detail !== message || ADVICE[kind] !== '') && (
        <details>
          <summary>Technical details</summary>
          <pre>{detail}</pre>
        </details>
      )}
    </div>
  );
}

/** The same message in one line, for small parts. */
export function FailureLine({ failure, onRetry }: FailureProps) {
  const isWaiting = failure.isOutage;
  useMissingPanel(isWaiting);
  const { isFirst, retry } = useSharedFailure(isWaiting ? undefined : failure.message, false, onRetry);
  if (isWaiting || !isFirst) return null;
  return <Problem text={failure.message} onRetry={onRetry && retry} />;
}

/** Names the data that a part of the page lacks. Each reason is shown once. */
function MissingData({ reports }: { readonly reports: Reports }) {
  const found = useReports(reports);
  const messages = [...new Set(found.map(({ failure }) => failure.message))];
  return messages.map((message) => {
    const same = found.filter(({ failure }) => failure.message === message);
    const fields = [...new Set(same.flatMap((each) => each.fields))].map(toWords).join(', ');
    return (
      <div key={message} className="missing-data" title={same[0]?.failure.detail}>
        <Problem
          text={`Could not load ${fields}: ${message}`}
          onRetry={() => {
            for (const { retry } of same) retry();
          }}
        />
      </div>
    );
  });
}

/** `taskConfig` → `task config` */
const toWords = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Limits a programming error, and data that could not be read, to the part of the page that has it. */
export class FailureBoundary extends Component<
  { readonly children: ReactNode; readonly name: string },
  { readonly error: Error | undefined }
> {
  override state: { readonly error: Error | undefined } = { error: undefined };
  readonly #reports = new Reports();

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (!error) {
      return (
        <ReportsContext value={this.#reports}>
          <MissingData reports={this.#reports} />
          {this.props.children}
        </ReportsContext>
      );
    }
    return (
      <div className="failure" role="alert">
        <Icon name="warning" size={24} />
        <h2>{this.props.name} could not be displayed</h2>
        <p>The other parts of the page still work.</p>
        <div className="row">
          <button type="button" className="button" onClick={() => this.setState({ error: undefined })}>
            <Icon name="refresh" /> Try again
          </button>
        </div>
        <details>
          <summary>Technical details</summary>
          <pre>{error.stack ?? error.message}</pre>
        </details>
      </div>
    );
  }
}
