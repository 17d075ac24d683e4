import type { ReactNode } from 'react';
import { useAccess } from '../../../access/use-access.ts';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { Failure } from '../../../components/Failure.tsx';
import { useQuery } from '../../../data/use-query.ts';
import { formatBytes } from '../../../format/numbers.ts';
import { appUrl } from '../../../router/app-url.ts';
import { Link } from '../../../router/Link.tsx';
import { describeCron } from '../describe-cron.ts';
import { patchPolicy } from '../generated/settings.ts';
import { describeRule, limitsOf } from '../retention-rule.ts';
import { type SettingsGeneralData, settingsGeneral } from './generated/general.ts';

/** Version, addresses, storage and default retention of the server. */
export function Server() {
  const { may } = useAccess();
  const { data, failure, refetch } = useQuery(settingsGeneral, NOTHING);
  const { origin } = window.location;
  const url = new URL(appUrl(''), origin).href.replace(/\/$/, '');
  return (
    <section className="card" aria-label="Server">
      <h2>Server</h2>
      {failure && <Failure failure={failure} onRetry={refetch} />}
      <Fact label="Version">{data?.serverStatus.version ?? '…'}</Fact>
      <Fact label="Address">
        <Address text={url} label="the address" />
      </Fact>
      <Fact label="OTLP over HTTP">
        <Address text={`${url}/v1/traces`} label="the address for OTLP" />
      </Fact>
      <Fact label="Storage">{data ? <StorageUse data={data} /> : '…'}</Fact>
      <Fact label="Default retention">
        {data ? <DefaultRetention data={data} /> : '…'}{' '}
        <Link to="/settings/retention">{may(patchPolicy) ? 'Change' : 'Show policies'}</Link>
      </Fact>
    </section>
  );
}

const NOTHING = {};

export function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="setting">
      <span>{label}</span>
      <span>{children}</span>
    </div>
  );
}

const Address = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <span className="row setting-address">
    <code>{text}</code>
    <CopyButton text={text} label={`Copy ${label}`} />
  </span>
);

interface DataProps {
  readonly data: SettingsGeneralData;
}

function StorageUse({ data: { dbTableStats, dbStorageCapacityBytes, serverStatus } }: DataProps) {
  const bytes = dbTableStats.reduce((sum, { numBytes }) => sum + numBytes, 0);
  return (
    <>
      {formatBytes(bytes)}
      {dbStorageCapacityBytes === null ? ', no limit set' : ` of ${formatBytes(dbStorageCapacityBytes)}`}{' '}
      <Link to="/settings/about">Show by table and project</Link>
      {serverStatus.insufficientStorage && (
        <span className="error-text"> The storage is full. The server rejects new data until you delete some.</span>
      )}
    </>
  );
}

const DefaultRetention = ({ data: { defaultProjectTraceRetentionPolicy: policy } }: DataProps) => (
  <>
    {describeRule(policy.rule)}
    {Object.values(limitsOf(policy.rule)).some((limit) => limit > 0) &&
      `, ${toSchedule(String(policy.cronExpression))}`}
  </>
);

const toSchedule = (cron: string): string => `schedule: ${describeCron(cron) ?? cron}`;
