import { Tooltip } from '../Tooltip.tsx';
import { AnnotationChip } from './AnnotationChip.tsx';
import { isMine } from './authorship.ts';
import { formatScore } from './format-score.ts';
import type { Annotation } from './use-annotations.ts';
import './annotations.css';

interface AnnotationChipsProps {
  readonly annotations: readonly Annotation[];
  readonly onOpen: () => void;
  readonly countMax: number;
}

/** One chip per annotation name, with the most frequent label or the mean score. A tooltip lists the annotations. */
export function AnnotationChips({ annotations, onOpen, countMax }: AnnotationChipsProps) {
  const byName = new Map<string, Annotation[]>();
  for (const each of annotations) byName.set(each.name, [...(byName.get(each.name) ?? []), each]);
  const groups = [...byName];
  return (
    <>
      {groups.slice(0, countMax).map(([name, members]) => (
        <Tooltip key={name} text={<Detail name={name} members={members} />}>
          <button type="button" className="plain-button" onClick={onOpen}>
            <AnnotationChip {...aggregate(members)} name={name} count={members.length} title="" />
          </button>
        </Tooltip>
      ))}
      {groups.length > countMax && (
        <button type="button" className="button bare small" onClick={onOpen}>
          {groups.length - countMax} more
        </button>
      )}
    </>
  );
}

interface Summary {
  /** Most frequent label. */
  readonly label: string | null;
  /** Mean of the scores. */
  readonly score: number | null;
  /** Number of annotations by label. */
  readonly shares: readonly (readonly [string, number])[];
}

export function aggregate(members: readonly Pick<Annotation, 'label' | 'score'>[]): Summary {
  const counts = new Map<string, number>();
  for (const { label } of members) if (label !== null) counts.set(label, (counts.get(label) ?? 0) + 1);
  const shares = [...counts].sort(([, a], [, b]) => b - a);
  const scores = members.flatMap(({ score }) => (score === null ? [] : [score]));
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  return { label: shares[0]?.[0] ?? null, score: scores.length === 0 ? null : mean, shares };
}

const DETAIL_COUNT_MAX = 6;

function Detail({ name, members }: { readonly name: string; readonly members: readonly Annotation[] }) {
  const { score, shares } = aggregate(members);
  return (
    <div className="annotation-detail">
      <strong>{name}</strong>
      {members.length > 1 && (
        <span className="muted">
          {members.length} annotations
          {score !== null && `, mean ${formatScore(score)}`}
          {shares.map(([label, count]) => `, ${label} ${Math.round((count / members.length) * 100)} %`).join('')}
        </span>
      )}
      {members.slice(0, DETAIL_COUNT_MAX).map((each) => (
        <span key={each.id}>
          {[each.label, each.score === null ? undefined : formatScore(each.score)].filter(Boolean).join(' ')}{' '}
          <span className="muted">
            {isMine(each) ? 'you' : (each.user?.username ?? each.annotatorKind.toLowerCase())}
            {each.explanation && `: ${each.explanation.slice(0, 160)}`}
          </span>
        </span>
      ))}
      {members.length > DETAIL_COUNT_MAX && <span className="muted">{members.length - DETAIL_COUNT_MAX} more</span>}
    </div>
  );
}
