import { useState } from 'react';
import { FailureLine } from '../../components/Failure.tsx';
import { useLongList } from '../../components/long-list.tsx';
import { useQuery } from '../../data/use-query.ts';
import { keyProjects } from './generated/keys.ts';

interface KeyProjectsProps {
  /** Names. Empty: all projects of the owner. */
  readonly chosen: readonly string[];
  readonly onChoose: (names: readonly string[]) => void;
}

const NOTHING = {};

/** The projects that a new key reaches. A name that no project has is created by the first span. */
export function KeyProjects({ chosen, onChoose }: KeyProjectsProps) {
  const { data, failure, refetch } = useQuery(keyProjects, NOTHING);
  const [added, setAdded] = useState<readonly string[]>([]);
  const [name, setName] = useState('');
  const names = [...new Set([...added, ...(data?.projects.edges ?? []).map(({ node }) => node.name)])];
  const { shown, search, rest } = useLongList(names, 'projects', (one) => one);
  const toggle = (one: string) =>
    onChoose(chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one]);
  const add = () => {
    const one = name.trim();
    if (!names.includes(one)) setAdded([one, ...added]);
    if (!chosen.includes(one)) onChoose([...chosen, one]);
    setName('');
  };
  return (
    <fieldset className="key-projects">
      <legend>Projects</legend>
      <p className="muted">
        {chosen.length === 0
          ? 'The key reaches all projects that its owner reaches. Select some to limit it to these.'
          : `The key reaches only ${chosen.join(', ')}.`}
      </p>
      {failure && <FailureLine failure={failure} onRetry={refetch} />}
      {search}
      <div className="key-project-list">
        {shown.map((one) => (
          <label key={one}>
            <input type="checkbox" checked={chosen.includes(one)} onChange={() => toggle(one)} />
            <span className="clip" title={one}>
              {one}
            </span>
          </label>
        ))}
        {rest}
      </div>
      <div className="row">
        <input
          className="input grow"
          aria-label="Name of a new project"
          placeholder="Name of a project that does not exist yet"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <button type="button" className="button" disabled={name.trim() === ''} onClick={add}>
          Add name
        </button>
      </div>
    </fieldset>
  );
}
