import { useAccess } from '../../../access/use-access.ts';
import { Problem } from '../../../components/Problem.tsx';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { Link } from '../../../router/Link.tsx';
import { describeRule } from '../../settings/retention-rule.ts';
import type { ConfiguredProject } from './configured-project.ts';
import { chooseRetention, type ProjectConfigData } from './generated/config.ts';

interface RetentionChoiceProps {
  readonly project: ConfiguredProject;
  readonly data: ProjectConfigData;
  readonly onSaved: () => void;
}

/** Retention policy of the project. Each choice is saved. */
export function RetentionChoice({ project, data, onSaved }: RetentionChoiceProps) {
  const change = useChange();
  const { may, isKnown } = useAccess();
  const canChoose = may(chooseRetention);
  const policies = data.projectTraceRetentionPolicies.edges.map(({ node }) => node);
  const standard = data.defaultProjectTraceRetentionPolicy.id;
  const current = policies.find(({ id }) => id === project.traceRetentionPolicy.id);
  const choose = (id: string) =>
    void change.run(
      // A project without another policy gets the default one.
      () =>
        send(chooseRetention, {
          input:
            id === standard
              ? { id: project.traceRetentionPolicy.id, removeProjects: [project.id] }
              : { id, addProjects: [project.id] },
        }),
      () => {
        toast(`${project.name} now uses the policy ${policies.find((policy) => policy.id === id)?.name}.`);
        onSaved();
      },
    );
  return (
    <section className="card" aria-label="Retention">
      <header className="row">
        <h2 className="grow">Retention</h2>
        <Link to="/settings/retention">All policies</Link>
      </header>
      <select
        className="input"
        aria-label="Retention policy"
        value={project.traceRetentionPolicy.id}
        disabled={change.isBusy || !canChoose}
        onChange={(event) => choose(event.target.value)}
      >
        {policies.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {isKnown && !canChoose && <p className="muted">Only administrators can choose another policy.</p>}
      <Problem text={change.problem} />
      {current && <p className="muted">{describeRule(current.rule)}.</p>}
    </section>
  );
}
