import { formatScore } from '../../../components/annotations/format-score.ts';
import { formatAge } from '../../../format/ages.ts';
import { shownName } from '../../../format/names.ts';
import { formatCost, formatCount, formatFloat, formatLatency, MISSING } from '../../../format/numbers.ts';
import { useTimeFormat } from '../../../format/times.ts';
import { Link } from '../../../router/Link.tsx';
import { promptPath } from '../../prompts/prompt-row.ts';
import { TagChip } from '../TagChip.tsx';
import { spansPath } from './spans-path.ts';
import { errorRate, scoreNames, scoreOf, tokensPerCall, type Usage, type VersionUsage } from './usage-data.ts';

interface UsageTableProps {
  readonly usage: Usage;
  readonly promptId: string;
  readonly bounds: { readonly start: number; readonly end: number };
}

/** Projects to whose spans a row links. */
const PROJECT_COUNT = 3;

/** Figures of each version in the range, and links to its spans. */
export function UsageTable({ usage, promptId, bounds }: UsageTableProps) {
  const names = scoreNames(usage);
  return (
    <div className="production-table card">
      <table className="usage-figures">
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col" className="number">
              Calls
            </th>
            <th scope="col" className="number">
              Errors
            </th>
            <th scope="col" className="number">
              P50
            </th>
            <th scope="col" className="number">
              P95
            </th>
            <th scope="col" className="number">
              Tokens per call
            </th>
            <th scope="col" className="number">
              Cost
            </th>
            {names.map((name) => (
              <th key={name} scope="col" className="number" dir="auto" title={`Mean score of ${name}`}>
                {shownName(name)}
              </th>
            ))}
            <th scope="col">Last call</th>
            <th scope="col">Spans</th>
          </tr>
        </thead>
        <tbody>
          {usage.versions.map((one) => (
            <Row key={one.version.id} one={one} names={names} projects={usage.projects} {...{ promptId, bounds }} />
          ))}
        </tbody>
      </table>
      {usage.versions.length === 0 && <p className="muted">No calls in this range and project</p>}
    </div>
  );
}

interface RowProps extends Omit<UsageTableProps, 'usage'> {
  readonly one: VersionUsage;
  readonly names: readonly string[];
  readonly projects: Usage['projects'];
}

function Row({ one, names, projects, promptId, bounds }: RowProps) {
  const times = useTimeFormat();
  const { version, total, filterCondition, lastCallAt } = one;
  return (
    <tr>
      <th scope="row">
        <span className="row">
          <Link to={promptPath(promptId, 'versions', version.id)}>Version {version.sequenceNumber}</Link>
          {version.tags.map(({ id, name }) => (
            <TagChip key={id} name={name} />
          ))}
        </span>
      </th>
      <td className="number">{formatCount(total.callCount)}</td>
      <td className={total.errorCount > 0 ? 'number status-error' : 'number'} title={formatCount(total.errorCount)}>
        {formatFloat(errorRate(total))} %
      </td>
      <td className="number">{formatLatency(total.latencyMsP50)}</td>
      <td className="number">{formatLatency(total.latencyMsP95)}</td>
      <td
        className="number"
        title={`${formatCount(total.promptTokenCount)} prompt and ${formatCount(total.completionTokenCount)} completion tokens`}
      >
        {formatCount(Math.round(tokensPerCall(total)))}
      </td>
      <td className="number">{total.cost === null ? MISSING : formatCost(total.cost)}</td>
      {names.map((name) => {
        const score = scoreOf(name)(total);
        return (
          <td key={name} className="number">
            {score === null ? MISSING : formatScore(score)}
          </td>
        );
      })}
      <td title={times.full(lastCallAt)}>{formatAge(lastCallAt)}</td>
      <td>
        <span className="production-links">
          {projects.slice(0, PROJECT_COUNT).map(({ project }) => (
            <Link
              key={project.id}
              to={spansPath(project.id, filterCondition, bounds)}
              className="clip"
              title={`Spans of this version in ${project.name}`}
              dir="auto"
            >
              {shownName(project.name)}
            </Link>
          ))}
        </span>
      </td>
    </tr>
  );
}
