import { Component, type ReactNode } from 'react';
import type { FailureKind, RequestFailure } from '../data/request.ts';
import { Link } from '../router/Link.tsx';
import { Icon } from './Icon.tsx';
import './failures.css';

const TITLES: Readonly<Record<FailureKind, string>> = {
  unreachable: 'The server cannot be reached',
  timedOut: 'This took too long',
  notFound: 'This is not here',
  refused: 'This did not work',
};

const ADVICE: Readonly<Record<FailureKind, string>> = {
  unreachable: 'It may be starting again, or the network is gone. Nothing was lost.',
  timedOut: 'A shorter time range reads less. The server may also be busy for a moment.',
  notFound: 'It may have been deleted, or the address has a mistake.',
  refused: '',
};

/** A part of a page that could not be read says so in its own place. */
export function Failure({ failure, onRetry }: { readonly failure: RequestFailure; readonly onRetry?: () => void }) {
  const { kind, message, detail } = failure;
  return (
    <div className="failure" role="alert">
      <Icon name={kind === 'notFound' ? 'search' : 'warning'} size={24} />
      <h2>{TITLES[kind]}</h2>
      <p>{ADVICE[kind] || message}</p>
      <div className="row">
        {onRetry && kind !== 'notFound' && (
          <button type="button" className="button" onClick={onRetry}>
            <Icon name="refresh" /> Try again
          </button>
        )}
        {kind === 'notFound' && (
          <Link className="button" to="/projects">
            All projects
          </Link>
        )}
      </div>
      {(detail !== message || ADVICE[kind] !== '') && (
        <details>
          <summary>Technical detail</summary>
          <pre>{detail}</pre>
        </details>
      )}
    </div>
  );
}

/** Keeps a mistake of ours in the part of the page that made it. */
export class FailureBoundary extends Component<
  { readonly children: ReactNode; readonly name: string },
  { readonly error: Error | undefined }
> {
  override state: { readonly error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <div className="failure" role="alert">
        <Icon name="warning" size={24} />
        <h2>{this.props.name} could not be shown</h2>
        <p>The rest of the page goes on working.</p>
        <div className="row">
          <button type="button" className="button" onClick={() => this.setState({ error: undefined })}>
            <Icon name="refresh" /> Try again
          </button>
        </div>
        <details>
          <summary>Technical detail</summary>
          <pre>{error.stack ?? error.message}</pre>
        </details>
      </div>
    );
  }
}
