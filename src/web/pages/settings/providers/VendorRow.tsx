import { credentialsFor } from '../../../components/prompt/model/credentials.ts';
import { useAccess } from '../../../access/use-access.ts';
import { send } from '../../../data/request.ts';
import { testVendor } from './generated/providers.ts';
import { TestResult, useProviderTest } from './provider-test.tsx';
import { describeLack, describeVendor, sourceWord, type Vendor } from './vendor-text.ts';

interface VendorRowProps {
  readonly vendor: Vendor;
  /** Names of the keys that this browser keeps. */
  readonly inBrowser: ReadonlySet<string>;
  /** Undefined for a user who cannot run models. */
  readonly onKeys: (() => void) | undefined;
  /** Creates a custom provider with an address. Undefined if the user may not, or the vendor has an address. */
  readonly onCustom: (() => void) | undefined;
}

/** A vendor with its state, the sources of its keys, and the result of a test. */
export function VendorRow({ vendor, inBrowser, onKeys, onCustom }: VendorRowProps) {
  const { key, name, host, keys, status, isAddressSet, addressVariable } = vendor;
  const { may } = useAccess();
  const test = useProviderTest();
  const { tone, word, detail } = describeVendor(vendor, inBrowser);
  const isAllowed = status !== 'NOT_ALLOWED';
  return (
    <li className="vendor-row" data-tone={tone} aria-label={name}>
      <span className="settings-name">
        <strong className="clip">{name}</strong>
        <span
          className="muted clip"
          title={isAddressSet ? `The environment sets it: ${addressVariable}` : 'Default of the vendor'}
        >
          {host ?? (key === 'AWS' ? 'Address of the region' : 'No address')}
        </span>
      </span>
      <span className="vendor-state">
        <strong className="vendor-word">{word}</strong>
        <span className="muted">{detail}</span>
      </span>
      <ul className="vendor-keys" aria-label={`Keys of ${name}`}>
        {keys
          .filter(() => isAllowed)
          .filter((each) => each.isRequired || each.source !== null || inBrowser.has(each.name))
          .map((each) => (
            <li key={each.name}>
              <code className="clip" title={each.name}>
                {each.name}
              </code>
              <span className={each.source === 'UNREADABLE_SECRET' ? 'status-error' : 'muted'}>
                {[...(inBrowser.has(each.name) ? ['this browser'] : []), sourceWord(each)].join(', ')}
              </span>
            </li>
          ))}
      </ul>
      <span className="row settings-actions">
        {isAllowed && onCustom && (
          <button type="button" className="button small" onClick={onCustom}>
            Add address
          </button>
        )}
        {isAllowed && onKeys && keys.length > 0 && (
          <button type="button" className="button small" aria-label={`Keys of ${name}`} onClick={onKeys}>
            Keys
          </button>
        )}
        {isAllowed && may(testVendor) && (
          <button
            type="button"
            className="button small"
            aria-label={`Test ${name}`}
            disabled={test.isBusy}
            onClick={() =>
              test.run(async () => {
                const lack = describeLack(vendor, inBrowser);
                if (lack !== undefined) return lack;
                const input = { providerKey: key, credentials: credentialsFor(key) };
                return (await send(testVendor, { input })).testGenerativeProvider.error;
              })
            }
          >
            Test
          </button>
        )}
      </span>
      {(test.isBusy || test.outcome) && (
        <span className="vendor-result">
          <TestResult test={test} name={name} />
        </span>
      )}
    </li>
  );
}
