import type { ComponentType } from 'react';
import { AccessDenied } from '../../access/AccessDenied.tsx';
import { useAccess } from '../../access/use-access.ts';
import { FailureBoundary } from '../../components/Failure.tsx';
import { lazy } from '../../components/lazy.tsx';
import { useCurrentInView } from '../../components/use-current-in-view.ts';
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
import { openSettingsParts, type SettingsPartId, settingsPart, toSettings } from './settings-parts.ts';
import './settings.css';

// Charts and long forms are loaded only for the pages that show them.
const StoragePart = lazy(async () => (await import('./Storage.tsx')).Storage);
const ProvidersPart = lazy(async () => (await import('./providers/Providers.tsx')).Providers);
const SandboxesPart = lazy(async () => (await import('./sandboxes/Sandboxes.tsx')).Sandboxes);
const IngestPart = lazy(async () => (await import('./IngestPage.tsx')).IngestPage);

const COMPONENTS: Readonly<Record<SettingsPartId, ComponentType>> = {
  '': General,
  users: Users,
  'api-keys': Keys,
  apps: Apps,
  secrets: Secrets,
  providers: ProvidersPart,
  sandboxes: SandboxesPart,
  models: Models,
  annotations: AnnotationConfigs,
  datasets: DatasetLabels,
  prompts: PromptLabels,
  retention: Retention,
  ingest: IngestPart,
  audit: Audit,
  about: StoragePart,
};

export function SettingsPage({ params }: { readonly params: RouteParams }) {
  const { may, isKnown } = useAccess();
  const part = settingsPart(params.part ?? '');
  const nav = useCurrentInView(`${part?.id} ${isKnown}`);
  if (!part) return <NotFoundPage />;
  const { id: current, label, needs } = part;
  const Part = COMPONENTS[current];
  const isOpen = needs === undefined || may(needs);
  return (
    <>
      <PageHeader
        crumbs={current === '' ? [{ label: 'Settings' }] : [{ label: 'Settings', to: '/settings' }, { label }]}
      />
      <div className="page-body">
        <div className="page-narrow">
          <nav className="tabs settings-nav" aria-label="Settings" ref={nav}>
            {openSettingsParts(may).map(({ id, label: name }) => (
              <Link key={id} to={toSettings(id)} {...(id === current ? { 'aria-current': 'page' } : {})}>
                {name}
              </Link>
            ))}
          </nav>
          <FailureBoundary name={label} key={current}>
            {isOpen ? <Part /> : isKnown && <AccessDenied what={label} />}
          </FailureBoundary>
        </div>
      </div>
    </>
  );
}
