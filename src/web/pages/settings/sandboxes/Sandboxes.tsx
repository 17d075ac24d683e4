import { useState } from 'react';
import { useAccess } from '../../../access/use-access.ts';
import { Failure } from '../../../components/Failure.tsx';
import { Problem } from '../../../components/Problem.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { useQuery } from '../../../data/use-query.ts';
import { formatAge } from '../../../format/ages.ts';
import { RowActions, SettingsList } from '../SettingsList.tsx';
import {
  createSandboxConfig,
  deleteSandboxConfig,
  enableSandboxProvider,
  sandboxes,
  updateSandboxConfig,
} from './generated/sandboxes.ts';
import { SandboxForm } from './SandboxForm.tsx';
import { type Backend, describeStatus, LANGUAGES, type SandboxConfig, type SandboxProvider } from './sandbox-text.ts';
import '../providers/providers.css';
import './sandboxes.css';

const NOTHING = {};

/** Backends that run the code of evaluators, and the configs with which it runs. */
export function Sandboxes() {
  const { may, hasSignIn } = useAccess();
  const { data, failure, refetch } = useQuery(sandboxes, NOTHING);
  const [edited, setEdited] = useState<SandboxConfig | 'new'>();
  const backends = data?.sandboxBackends;
  const wasm = backends?.find(({ backendType }) => backendType === 'WASM');
  const configs = data?.sandboxProviders.flatMap((provider) => provider.configs);
  const canEdit = may(updateSandboxConfig);
  const reload = () => void refetch();
  return (
    <div className="providers">
      <section className="settings-list">
        <header>
          <div className="grow">
            <h2>Sandboxes</h2>
            <p className="muted">
              Backends that run the code of evaluators. A disabled one fails the evaluators whose config uses it.
            </p>
            {hasSignIn && !canEdit && (
              <p className="muted">Your role can read this page. Administrators enable backends and change configs.</p>
            )}
          </div>
        </header>
        {failure ? (
          <Failure failure={failure} onRetry={reload} />
        ) : backends === undefined ? (
          <div className="card settings-rows" aria-busy="true">
            {[44, 60, 38].map((width) => (
              <div key={width} className="skeleton" style={{ width: `${width}%`, height: 14, margin: 12 }} />
            ))}
          </div>
        ) : (
          <ul className="card settings-rows" aria-label="Sandboxes">
            {backends.map((backend) => (
              <BackendRow
                key={backend.backendType}
                backend={backend}
                provider={data?.sandboxProviders.find((each) => each.backendType === backend.backendType)}
                onChanged={reload}
              />
            ))}
          </ul>
        )}
      </section>
      <SettingsList
        title="Sandbox configs"
        about="Named limits with which the code of an evaluator runs. Without one, code runs for at most 30 seconds."
        newLabel="Create config"
        onNew={wasm && may(createSandboxConfig) ? () => setEdited('new') : undefined}
        list={{ items: configs, isComplete: configs !== undefined, failure: undefined, refetch: reload }}
        noun="configs"
        textOf={({ name, description }) => `${name} ${description ?? ''}`}
        empty={
          canEdit
            ? 'No configs yet. Create one to give code another time limit.'
            : 'No configs. Administrators create them.'
        }
        row={(config) => (
          <ConfigRow
            key={config.id}
            config={config}
            onEdit={canEdit ? () => setEdited(config) : undefined}
            onDeleted={reload}
          />
        )}
      />
      {edited && wasm && (
        <SandboxForm
          backend={wasm}
          config={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onSaved={reload}
        />
      )}
    </div>
  );
}

interface BackendRowProps {
  readonly backend: Backend;
  readonly provider: SandboxProvider | undefined;
  readonly onChanged: () => void;
}

function BackendRow({ backend, provider, onChanged }: BackendRowProps) {
  const { displayName, hostingType, supportedLanguages, languageDialect, statusDetail, runtimeNotes } = backend;
  const { may } = useAccess();
  const change = useChange();
  const { tone, word } = describeStatus(backend);
  // One that is enabled but still not available is excluded by the operator, which cannot be changed here.
  const isExcluded = tone === 'open' && provider?.enabled === true;
  const canToggle =
    provider !== undefined && may(enableSandboxProvider) && !isExcluded && (tone === 'ok' || tone === 'open');
  return (
    <li className="vendor-row backend-row" data-tone={tone} aria-label={displayName}>
      <span className="settings-name">
        <strong className="clip">{displayName}</strong>
        <span className="muted clip">{hostingType === 'LOCAL' ? 'On this machine' : 'At its vendor'}</span>
      </span>
      <span className="vendor-state">
        <strong className="vendor-word">{word}</strong>
        {statusDetail !== null && <span className="muted">{statusDetail}</span>}
      </span>
      <span className="backend-notes">
        <span>
          {supportedLanguages.map((each) => LANGUAGES[each]).join(', ')}
          {languageDialect === 'RESTRICTED' && ', restricted'}
        </span>
        {tone !== 'off' && <span className="muted">{runtimeNotes}</span>}
      </span>
      <span className="row settings-actions">
        {canToggle && (
          <button
            type="button"
            className="button small"
            aria-label={`${provider.enabled ? 'Disable' : 'Enable'} ${displayName}`}
            disabled={change.isBusy}
            onClick={() =>
              void change.run(
                () => send(enableSandboxProvider, { id: provider.id, enabled: !provider.enabled }),
                onChanged,
              )
            }
          >
            {provider.enabled ? 'Disable' : 'Enable'}
          </button>
        )}
      </span>
      {change.problem && (
        <span className="vendor-result">
          <Problem text={change.problem} />
        </span>
      )}
    </li>
  );
}

interface ConfigRowProps {
  readonly config: SandboxConfig;
  readonly onEdit: (() => void) | undefined;
  readonly onDeleted: () => void;
}

function ConfigRow({ config, onEdit, onDeleted }: ConfigRowProps) {
  const { id, name, description, language, timeout, enabled, updatedAt, user } = config;
  const { may } = useAccess();
  return (
    <li className="config-row" aria-label={name}>
      <span className="settings-name">
        <strong className="clip mono">{name}</strong>
        <span className="muted clip">{description}</span>
      </span>
      <span>{LANGUAGES[language]}</span>
      <span className="settings-name sandbox-limits">
        <span>At most {timeout} s</span>
        <span className={enabled ? 'muted' : 'status-error'}>{enabled ? 'Enabled' : 'Disabled'}</span>
      </span>
      <span className="muted clip">
        Changed {formatAge(updatedAt)}
        {user && ` by ${user.username}`}
      </span>
      <RowActions
        name={name}
        onEdit={onEdit}
        onDelete={may(deleteSandboxConfig) ? () => send(deleteSandboxConfig, { id }) : undefined}
        consequence="Evaluators can no longer choose it. A config that an evaluator uses cannot be deleted."
        onDeleted={onDeleted}
      />
    </li>
  );
}
