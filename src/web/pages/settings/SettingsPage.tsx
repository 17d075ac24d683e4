import { type ComponentType, useEffect, useRef } from 'react';
import { AccessDenied } from '../../access/AccessDenied.tsx';
import type { Access } from '../../access/rights.ts';
import { useAccess } from '../../access/use-access.ts';
import { FailureBoundary } from '../../components/Failure.tsx';
import { lazy } from '../../components/lazy.tsx';
import { Link } from '../../router/Link.tsx';
import type { RouteParams } from '../../router/match-route.ts';
import { PageHeader } from '../../shell/PageHeader.tsx';
import { NotFoundPage } from '../not-found/NotFoundPage.tsx';
import { AnnotationConfigs } from './AnnotationConfigs.tsx';
import { Apps } from './access/Apps.tsx';
import { Keys } from './access/Keys.tsx';
import { Users } from './access/Users.tsx';
import { Audit } from './audit/Audit.tsx';
import { General } from './general/General.tsx';
import { DatasetLabels, PromptLabels } from './labels/LabelList.tsx';
import { Models } from './Models.tsx';
import { Retention } from './Retention.tsx';
import { Secrets } from './secrets/Secrets.tsx';
import './settings.css';

// Charts and long forms are loaded only for the pages that show them.
const StoragePart = lazy(async () => (await import('./Storage.tsx')).Storage);
const ProvidersPart = lazy(async () => (await import('./providers/Providers.tsx')).Providers);
const SandboxesPart = lazy(async () => (await import('./sandboxes/Sandboxes.tsx')).Sandboxes);
const IngestPart = lazy(async () => (await import('./IngestPage.tsx')).IngestPage);

/** Parts of the settings. `needs`: right without which the part says why it is closed, and the navigation leaves it out. */
const PARTS: readonly SettingsPart[] = [
  { id: '', label: 'General', Part: General },
  { id: 'users', label: 'Users', Part: Users, needs: 'strictAdmin' },
  { id: 'api-keys', label: 'API keys', Part: Keys, needs: 'strictAdmin' },
  { id: 'apps', label: 'Apps', Part: Apps, needs: 'strictAdmin' },
  { id: 'secrets', label: 'Secrets', Part: Secrets, needs: 'admin' },
  { id: 'providers', label: 'Providers', Part: ProvidersPart },
  { id: 'sandboxes', label: 'Sandboxes', Part: SandboxesPart },
  { id: 'models', label: 'Models', Part: Models },
  { id: 'annotations', label: 'Annotations', Part: AnnotationConfigs },
  { id: 'datasets', label: 'Datasets', Part: DatasetLabels },
  { id: 'prompts', label: 'Prompts', Part: PromptLabels },
  { id: 'retention', label: 'Retention', Part: Retention },
  { id: 'ingest', label: 'Ingest', Part: IngestPart },
  { id: 'audit', label: 'Audit', Part: Audit, needs: 'admin' },
  { id: 'about', label: 'Storage', Part: StoragePart },
];

interface SettingsPart {
  readonly id: string;
  readonly label: string;
  readonly Part: ComponentType;
  readonly needs?: Access;
}

export function SettingsPage({ params }: { readonly params: RouteParams }) {
  const { may, isKnown } = useAccess();
  const part = PARTS.find(({ id }) => id === (params.part ?? ''));
  const nav = useRef<HTMLElement>(null);
  // In a narrow window, the current link may be out of sight.
  useEffect(() => {
    if (part && isKnown) nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [part, isKnown]);
  if (!part) return <NotFoundPage />;
  const { Part, label, needs } = part;
  const isOpen = needs === undefined || may(needs);
  return (
    <>
      <PageHeader
        crumbs={part.id === '' ? [{ label: 'Settings' }] : [{ label: 'Settings', to: '/settings' }, { label }]}
      />
      <div className="page-body">
        <div className="page-narrow">
          <nav className="tabs settings-nav" aria-label="Settings" ref={nav}>
            {PARTS.filter(({ needs: right }) => right === undefined || may(right)).map(({ id, label: name }) => (
              <Link
                key={id}
                to={id === '' ? '/settings' : `/settings/${id}`}
                {...(id === part.id ? { 'aria-current': 'page' } : {})}
              >
                {name}
              </Link>
            ))}
          </nav>
          <FailureBoundary name={label} key={part.id}>
            {isOpen ? <Part /> : isKnown && <AccessDenied what={label} />}
          </FailureBoundary>
        </div>
      </div>
    </>
  );
}
