import { useState } from 'react';
import { useCredentials } from '../../../components/prompt/model/credentials.ts';
import { useAccess } from '../../../access/use-access.ts';
import { Failure } from '../../../components/Failure.tsx';
import { useAllPages } from '../../../data/use-all-pages.ts';
import { useQuery } from '../../../data/use-query.ts';
import { formatCount } from '../../../format/numbers.ts';
import { CustomProviderForm } from './CustomProviderForm.tsx';
import { CustomProviders } from './CustomProviders.tsx';
import type { CustomProvider, Sdk } from './custom-config.ts';
import {
  type CustomProvidersData,
  createCustomProvider,
  customProviders,
  providerStates,
  testVendor,
} from './generated/providers.ts';
import { VendorKeys } from './VendorKeys.tsx';
import { VendorRow } from './VendorRow.tsx';
import { describeVendor, type Vendor } from './vendor-text.ts';
import './providers.css';

const NOTHING = {};
const readCustom = ({ generativeModelCustomProviders }: CustomProvidersData) => generativeModelCustomProviders;

/** Vendors of models, with what each one lacks, and custom providers. */
export function Providers() {
  const { may, hasSignIn } = useAccess();
  const { data, failure, refetch } = useQuery(providerStates, NOTHING);
  const custom = useAllPages(customProviders, readCustom);
  const credentials = useCredentials();
  const [keysOf, setKeysOf] = useState<Vendor['key']>();
  const [edited, setEdited] = useState<CustomProvider | Sdk>();
  const inBrowser: ReadonlySet<string> = new Set(credentials.keys());
  const vendors = data?.modelProviderStates;
  const shown = vendors?.find(({ key }) => key === keysOf);
  const canKeep = may(testVendor);
  const canCreate = may(createCustomProvider);
  return (
    <div className="providers">
      <section className="settings-list">
        <header>
          <div className="grow">
            <h2>Model providers</h2>
            <p className="muted">
              Vendors that this server calls for the playground, experiments and evaluators. A run uses the key of its
              browser, else a stored secret, else the environment of the server.
            </p>
            {vendors && <p className="provider-summary">{summarize(vendors, inBrowser)}</p>}
            {hasSignIn && !canCreate && (
              <p className="muted">
                {canKeep
                  ? 'You can test providers and keep keys in this browser. Administrators store keys for all users.'
                  : 'Your role can read this page. Members test providers and keep keys in their browsers; administrators store keys for all users.'}
              </p>
            )}
          </div>
        </header>
        {failure ? (
          <Failure failure={failure} onRetry={() => void refetch()} />
        ) : vendors === undefined ? (
          <div className="card settings-rows" aria-busy="true">
            {[44, 60, 38].map((width) => (
              <div key={width} className="skeleton" style={{ width: `${width}%`, height: 14, margin: 12 }} />
            ))}
          </div>
        ) : (
          <ul className="card settings-rows" aria-label="Model providers">
            {vendors.map((vendor) => (
              <VendorRow
                key={vendor.key}
                vendor={vendor}
                inBrowser={inBrowser}
                onKeys={canKeep ? () => setKeysOf(vendor.key) : undefined}
                onCustom={
                  canCreate && vendor.status === 'ADDRESS_MISSING'
                    ? () => setEdited(vendor.key === 'AZURE_OPENAI' ? 'AZURE_OPENAI' : 'OPENAI')
                    : undefined
                }
              />
            ))}
          </ul>
        )}
      </section>
      <CustomProviders list={custom} onEdit={setEdited} />
      {shown && <VendorKeys vendor={shown} onClose={() => setKeysOf(undefined)} onSaved={() => void refetch()} />}
      {edited && <CustomProviderForm edited={edited} onClose={() => setEdited(undefined)} onSaved={custom.refetch} />}
    </div>
  );
}

function summarize(vendors: readonly Vendor[], inBrowser: ReadonlySet<string>): string {
  const ready = vendors.filter((vendor) => describeVendor(vendor, inBrowser).tone === 'ok').length;
  const allowed = vendors.filter(({ status }) => status !== 'NOT_ALLOWED').length;
  const readyText = `${formatCount(ready)} of ${formatCount(vendors.length)} ready.`;
  return allowed === vendors.length
    ? `${readyText} The operator allows all of them.`
    : `${readyText} The operator allows ${formatCount(allowed)} of them (SERVICE_ALLOWED_PROVIDERS).`;
}
