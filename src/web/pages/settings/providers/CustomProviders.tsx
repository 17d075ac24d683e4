import { useAccess } from '../../../access/use-access.ts';
import { send } from '../../../data/request.ts';
import type { AllPages } from '../../../data/use-all-pages.ts';
import { formatAge } from '../../../format/ages.ts';
import { RowActions, SettingsList } from '../SettingsList.tsx';
import { type CustomProvider, describeAddress, METHODS, SDKS, toConfigDraft, toConfigInput } from './custom-config.ts';
import {
  createCustomProvider,
  deleteCustomProvider,
  patchCustomProvider,
  testCustomProvider,
} from './generated/providers.ts';
import { TestResult, useProviderTest } from './provider-test.tsx';

interface CustomProvidersProps {
  readonly list: AllPages<CustomProvider>;
  readonly onEdit: (edited: CustomProvider | 'OPENAI') => void;
}

/** Further accounts and addresses, with keys of their own. */
export function CustomProviders({ list, onEdit }: CustomProvidersProps) {
  const { may } = useAccess();
  return (
    <SettingsList
      title="Custom providers"
      about="Further accounts, gateways and servers of your own, with keys and headers that are stored encrypted. Prompts choose them beside the vendors."
      newLabel="Add provider"
      onNew={may(createCustomProvider) ? () => onEdit('OPENAI') : undefined}
      list={list}
      noun="custom providers"
      textOf={({ name, description, provider, sdk }) => `${name} ${description ?? ''} ${provider} ${SDKS[sdk].label}`}
      empty={
        may(createCustomProvider)
          ? 'No custom providers yet. Add one for a gateway, a second account or a server of your own.'
          : 'No custom providers. Administrators add them.'
      }
      row={(provider) => (
        <CustomProviderRow
          key={provider.id}
          provider={provider}
          onEdit={may(patchCustomProvider) ? () => onEdit(provider) : undefined}
          onDeleted={list.refetch}
        />
      )}
    />
  );
}

interface CustomProviderRowProps {
  readonly provider: CustomProvider;
  readonly onEdit: (() => void) | undefined;
  readonly onDeleted: () => void;
}

function CustomProviderRow({ provider, onEdit, onDeleted }: CustomProviderRowProps) {
  const { id, name, description, sdk, config, modelNames, updatedAt, user } = provider;
  const { may } = useAccess();
  const test = useProviderTest();
  const isUnreadable = config.__typename === 'UnparsableConfig';
  const draft = toConfigDraft(provider);
  return (
    <li className="vendor-row custom-row" data-tone={isUnreadable ? 'wrong' : 'ok'} aria-label={name}>
      <span className="settings-name">
        <strong className="clip" title={name}>
          {name}
        </strong>
        <span className="muted clip" title={description ?? undefined}>
          {description ?? SDKS[sdk].label}
        </span>
      </span>
      <span className="settings-name">
        <span className="clip">{SDKS[sdk].label}</span>
        {isUnreadable ? (
          <span className="status-error clip" title={config.parseError}>
            Cannot be decrypted
          </span>
        ) : (
          <span className="muted clip" title={describeAddress(draft)}>
            {METHODS[draft.method]}, {describeAddress(draft)}
          </span>
        )}
      </span>
      <span className="settings-name">
        <span className="clip" title={modelNames.join(', ')}>
          {modelNames.length === 0 ? 'No prompt uses it' : modelNames.join(', ')}
        </span>
        <span className="muted clip">
          Changed {formatAge(updatedAt)}
          {user && ` by ${user.username}`}
        </span>
      </span>
      <span className="row settings-actions">
        {!isUnreadable && may(testCustomProvider) && (
          <button
            type="button"
            className="button small"
            aria-label={`Test ${name}`}
            disabled={test.isBusy}
            onClick={() =>
              test.run(async () => {
                const result = await send(testCustomProvider, { input: toConfigInput(draft) });
                return result.testGenerativeModelCustomProviderCredentials.error;
              })
            }
          >
            Test
          </button>
        )}
        <RowActions
          name={name}
          onEdit={onEdit}
          onDelete={may(deleteCustomProvider) ? () => send(deleteCustomProvider, { id }) : undefined}
          consequence={
            modelNames.length === 0
              ? 'Its keys are deleted. You cannot undo it.'
              : 'Prompt versions that use it lose it, and run with the provider of their model. You cannot undo it.'
          }
          onDeleted={onDeleted}
        />
      </span>
      {(test.isBusy || test.outcome) && (
        <span className="vendor-result">
          <TestResult test={test} name={name} />
        </span>
      )}
    </li>
  );
}
