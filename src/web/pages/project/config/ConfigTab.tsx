import { Failure } from '../../../components/Failure.tsx';
import { useQuery } from '../../../data/use-query.ts';
import { Instrumentation } from '../../onboarding/Instrumentation.tsx';
import { Access } from './Access.tsx';
import { AnnotationCounts } from './AnnotationCounts.tsx';
import { ConfigChoice } from './ConfigChoice.tsx';
import { FirstTab } from './FirstTab.tsx';
import { projectConfig } from './generated/config.ts';
import { Identity } from './Identity.tsx';
import { RetentionChoice } from './RetentionChoice.tsx';
import '../../settings/settings.css';
import './config.css';

/** Settings of a project. */
export function ConfigTab({ projectId }: { readonly projectId: string }) {
  const { data, failure, refetch } = useQuery(projectConfig, { id: projectId });
  const project = data?.node.__typename === 'Project' ? data.node : undefined;
  if (failure) return <Failure failure={failure} onRetry={refetch} />;
  return (
    <div className="page-body" aria-busy={project === undefined}>
      {!project && (
        <div className="page-narrow project-config">
          {[170, 230].map((height) => (
            <div key={height} className="card" style={{ height }}>
              <div className="skeleton config-blank" />
            </div>
          ))}
        </div>
      )}
      {data && project && (
        <div className="page-narrow project-config">
          <div className="settings">
            <Identity key={project.id} project={project} onSaved={refetch} />
            <Access projectId={projectId} />
            <FirstTab projectId={projectId} />
            <RetentionChoice project={project} data={data} onSaved={refetch} />
          </div>
          <div className="settings">
            <ConfigChoice project={project} onSaved={refetch} />
            <AnnotationCounts projectId={projectId} />
            <section aria-label="Sending traces" className="card">
              <h2>Send traces to this project</h2>
              <Instrumentation projectName={project.name} />
            </section>
          </div>
        </div>
      )}
    </div>
  );
}
