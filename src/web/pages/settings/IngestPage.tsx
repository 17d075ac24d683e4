import type { ReactNode } from 'react';
import { TimeChart } from '../../components/chart/TimeChart.tsx';
import { Failure } from '../../components/Failure.tsx';
import { useJson } from '../../data/use-json.ts';
import { formatAge } from '../../format/ages.ts';
import { formatBytes, formatCount, formatLatency } from '../../format/numbers.ts';
import { useTimeFormat } from '../../format/times.ts';
import './ingest.css';

interface Counts {
  readonly request_count: number;
  readonly rejected_request_count: number;
  readonly span_count: number;
  readonly rejected_span_count: number;
}

interface IngestStatus {
  readonly accepted_span_count: number;
  readonly rejected_span_count: number;
  readonly rejected_request_counts: Readonly<Record<string, number>>;
  readonly duplicate_span_count: number;
  readonly differing_span_count: number;
  readonly dropped_annotation_count: number;
  readonly set_aside_count: number;
  readonly failed_batch_count: number;
  readonly queued_span_count: number;
  readonly backlog_bytes: number;
  readonly backlog_bytes_max: number;
  readonly lag_seconds: number;
  readonly in_flight_bytes: number;
  readonly activity: readonly (Counts & { readonly start: string })[];
  readonly clients: readonly (Counts & {
    readonly user_agent: string;
    readonly source: string;
    readonly remote_address: string;
    readonly last_seen_at: string;
  })[];
}

interface IngestError {
  readonly at: string;
  readonly source: string;
  readonly remote_address: string;
  readonly reason: string;
  readonly rejected_span_count: number;
  readonly body_bytes: number;
}

const INTERVAL_MS = 2_000;

/** Ingest rate, backlog of the span store, clients, and rejected requests with their reasons. */
export function IngestPage() {
  const status = useJson<IngestStatus>('v1/ingest/status', INTERVAL_MS);
  const errors = useJson<readonly IngestError[]>('v1/ingest/errors', INTERVAL_MS);
  if (!status.data) {
    return status.failure ? <Failure failure={status.failure} onRetry={status.refetch} /> : <div aria-busy="true" />;
  }
  return (
    <div className="ingest">
      <Figures status={status.data} />
      <Activity activity={status.data.activity} />
      <Clients clients={status.data.clients} />
      <Rejections counts={status.data.rejected_request_counts} errors={errors.data} />
    </div>
  );
}

function Figures({ status }: { readonly status: IngestStatus }) {
  // The last interval has not ended yet.
  const steps = status.activity.slice(-7, -1);
  const seconds = (steps.length * stepMs(status.activity)) / 1000;
  const rate = steps.reduce((sum, { span_count }) => sum + span_count, 0) / Math.max(1, seconds);
  const rejected = Object.values(status.rejected_request_counts).reduce((sum, count) => sum + count, 0);
  const share = status.backlog_bytes / Math.max(1, status.backlog_bytes_max);
  return (
    <dl className="card ingest-figures">
      <Figure
        label="Spans per second"
        value={rate < 10 ? rate.toFixed(1) : formatCount(rate)}
        about="in the last minute"
      />
      <Figure label="Ingested spans" value={formatCount(status.accepted_span_count)} about="since the server started" />
      <Figure
        label="Waiting"
        value={formatCount(status.queued_span_count)}
        about={status.lag_seconds === 0 ? 'everything is stored' : `for ${formatLatency(status.lag_seconds * 1000)}`}
        isBad={status.lag_seconds > 10}
      />
      <Figure
        label="Journal backlog"
        value={formatBytes(status.backlog_bytes)}
        about={`of ${formatBytes(status.backlog_bytes_max)}`}
        isBad={share > 0.5}
      />
      <Figure
        label="Rejected requests"
        value={formatCount(rejected)}
        about={`${formatCount(status.rejected_span_count)} spans in others`}
        isBad={rejected > 0}
      />
      <Figure
        label="Repeated spans"
        value={formatCount(status.duplicate_span_count)}
        about={`${formatCount(status.differing_span_count)} of them differed`}
        isBad={status.differing_span_count > 0}
      />
      {status.set_aside_count > 0 && (
        <Figure
          label="Quarantined"
          value={formatCount(status.set_aside_count)}
          about="damaged parts of the journal"
          isBad
        />
      )}
      {status.dropped_annotation_count > 0 && (
        <Figure
          label="Dropped annotations"
          value={formatCount(status.dropped_annotation_count)}
          about="target never arrived"
          isBad
        />
      )}
      {status.failed_batch_count > 0 && (
        <Figure label="Retried writes" value={formatCount(status.failed_batch_count)} about="by the span store" isBad />
      )}
    </dl>
  );
}

interface FigureProps {
  readonly label: string;
  readonly value: string;
  readonly about: string;
  readonly isBad?: boolean;
}

function Figure({ label, value, about, isBad = false }: FigureProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={isBad ? 'status-error' : undefined}>{value}</dd>
      <dd className="muted">{about}</dd>
    </div>
  );
}

const stepMs = ([first, second]: IngestStatus['activity']): number =>
  first && second ? Date.parse(second.start) - Date.parse(first.start) : 10_000;

function Activity({ activity }: Pick<IngestStatus, 'activity'>) {
  const widthMs = stepMs(activity);
  return (
    <TimeChart
      title="Spans"
      about={`every ${formatLatency(widthMs)}, of the last ${formatLatency(widthMs * activity.length)}`}
      kind="bars"
      isWhole
      isLoading={false}
      format={formatCount}
      bins={{ starts: activity.map(({ start }) => Date.parse(start)), widthMs }}
      series={[
        {
          id: 'rejected',
          label: 'Rejected',
          color: '--error-fill',
          values: activity.map(({ rejected_span_count }) => rejected_span_count),
        },
        { id: 'taken', label: 'Ingested', color: '--kind-tool', values: activity.map(({ span_count }) => span_count) },
      ]}
    />
  );
}

function Clients({ clients }: Pick<IngestStatus, 'clients'>) {
  const times = useTimeFormat();
  return (
    <section className="card ingest-list" aria-label="Clients">
      <h2>Clients</h2>
      {clients.length === 0 ? (
        <p className="muted">No client has sent data since the server started.</p>
      ) : (
        <Scroll>
          <table>
            <thead>
              <tr>
                <th>Client</th>
                <th>Protocol</th>
                <th>From</th>
                <th className="number">Requests</th>
                <th className="number">Rejected</th>
                <th className="number">Spans</th>
                <th>Last seen</th>
              </tr>
            </thead>
            <tbody>
              {clients.map((client) => (
                <tr key={`${client.source} ${client.user_agent}`}>
                  <td className="wide" title={client.user_agent}>
                    {client.user_agent || <span className="muted">Unknown</span>}
                  </td>
                  <td>{SOURCES.get(client.source) ?? client.source}</td>
                  <td className="mono">{client.remote_address}</td>
                  <td className="number">{formatCount(client.request_count)}</td>
                  <td className={client.rejected_request_count > 0 ? 'number status-error' : 'number'}>
                    {formatCount(client.rejected_request_count)}
                  </td>
                  <td className="number">{formatCount(client.span_count)}</td>
                  <td title={times.full(client.last_seen_at)}>{formatAge(client.last_seen_at)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </section>
  );
}

/** Scrolls a wide or long table, also by keyboard. */
function Scroll({ children }: { readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys scroll it
    <div className="ingest-scroll" tabIndex={0}>
      {children}
    </div>
  );
}

const SOURCES: ReadonlyMap<string, string> = new Map(
  Object.entries({ http: 'HTTP', grpc: 'gRPC', rest: 'REST', store: 'Store' }),
);

interface RejectionsProps {
  readonly counts: IngestStatus['rejected_request_counts'];
  readonly errors: readonly IngestError[] | undefined;
}

function Rejections({ counts, errors = [] }: RejectionsProps) {
  const times = useTimeFormat();
  return (
    <section className="card ingest-list" aria-label="Rejected">
      <h2>Recent rejections</h2>
      {Object.keys(counts).length > 0 && (
        <ul className="ingest-reasons" aria-label="Rejected requests by reason">
          {Object.entries(counts).map(([reason, count]) => (
            <li key={reason}>
              <code>{reason}</code> <strong>{formatCount(count)}</strong>
            </li>
          ))}
        </ul>
      )}
      {errors.length === 0 ? (
        <p className="muted">No request was rejected since the server started.</p>
      ) : (
        <Scroll>
          <table>
            <thead>
              <tr>
                <th>Time</th>
                <th>Protocol</th>
                <th>From</th>
                <th>Reason</th>
                <th className="number">Spans</th>
                <th className="number">Size</th>
              </tr>
            </thead>
            <tbody>
              {errors.map((error, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two may be the same in everything
                <tr key={`${error.at} ${index}`}>
                  <td title={times.full(error.at)}>{times.short(error.at)}</td>
                  <td>{SOURCES.get(error.source) ?? error.source}</td>
                  <td className="mono">{error.remote_address}</td>
                  <td className="wide" title={error.reason}>
                    {error.reason}
                  </td>
                  <td className="number">
                    {error.rejected_span_count === 0 ? 'all' : formatCount(error.rejected_span_count)}
                  </td>
                  <td className="number">{error.body_bytes === 0 ? '' : formatBytes(error.body_bytes)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </section>
  );
}
