import { useAccess } from '../../../access/use-access.ts';
import { annotateExperimentRun } from '../../../components/annotations/run/generated/run-annotations.ts';
import { Icon } from '../../../components/Icon.tsx';
import { formatCount } from '../../../format/numbers.ts';
import type { Compared } from '../compared.ts';
import { ExperimentMark, titleOf } from '../ExperimentMark.tsx';

/** Ways to annotate: with scores, with scores while names are hidden, or by choosing the better of two. */
export type AnnotateMode = 'scores' | 'blind' | 'pairs';

interface SideBarProps {
  /** ID that a client gave to the example. */
  readonly name: string | undefined;
  /** Index of the row in the grid. -1 if it is not loaded. */
  readonly index: number;
  readonly count: number;
  readonly compared: readonly Compared[];
  /** IDs of experiments that the user has hidden. */
  readonly left: ReadonlySet<string>;
  readonly onLeft: (left: ReadonlySet<string>) => void;
  readonly scoreNames: readonly string[];
  readonly scoreName: string | undefined;
  readonly onScoreName: (name: string | undefined) => void;
  readonly isDiff: boolean;
  readonly onDiff: (isDiff: boolean) => void;
  readonly mode: AnnotateMode | undefined;
  readonly onMode: (mode: AnnotateMode | undefined) => void;
  readonly onGo: (step: number) => void;
  readonly onClose: () => void;
}

const MODE_NAMES: readonly (readonly [AnnotateMode | undefined, string, string])[] = [
  [undefined, 'Read', 'Shows names and scores'],
  ['scores', 'Annotate', 'Annotates the marked run by keys'],
  ['blind', 'Blind', 'Hides names, colors, order and scores until you are done'],
  ['pairs', 'Prefer', 'Asks which of two outputs is better'],
];

/** Position, choice of experiments and mode of the side-by-side view. */
export function SideBar(props: SideBarProps) {
  const { name, index, count, compared, left, onLeft, mode, onMode, onGo, onClose } = props;
  const { may } = useAccess();
  const toggle = (id: string) => {
    const next = new Set(left);
    if (!next.delete(id)) next.add(id);
    // One experiment stays.
    if (next.size < compared.length) onLeft(next);
  };
  return (
    <header className="side-bar">
      <h2 className="clip" dir="auto" title={name}>
        {name ?? 'Example'}
      </h2>
      {index >= 0 && (
        <span className="muted">
          {formatCount(index + 1)} of {formatCount(count)}
        </span>
      )}
      <span className="row side-steps">
        <button
          type="button"
          className="button small icon-only"
          aria-label="Previous example"
          title="Previous example (K)"
          disabled={index <= 0}
          onClick={() => onGo(-1)}
        >
          <Icon name="up" size={12} />
        </button>
        <button
          type="button"
          className="button small icon-only"
          aria-label="Next example"
          title="Next example (J)"
          disabled={index < 0 || index >= count - 1}
          onClick={() => onGo(1)}
        >
          <Icon name="down" size={12} />
        </button>
      </span>
      <span className="grow" />
      {mode !== 'pairs' && mode !== 'blind' && (
        <>
          <span className="segments" role="group" aria-label="Shown experiments">
            {compared.map((each) => (
              <button
                key={each.id}
                type="button"
                aria-pressed={!left.has(each.id)}
                title={titleOf(each)}
                onClick={() => toggle(each.id)}
              >
                <ExperimentMark of={each} />
              </button>
            ))}
          </span>
          {props.scoreNames.length > 0 && (
            <select
              className="input side-sort"
              aria-label="Order of the columns"
              value={props.scoreName ?? ''}
              onChange={(event) => props.onScoreName(event.target.value || undefined)}
            >
              <option value="">In order</option>
              {props.scoreNames.map((each) => (
                <option key={each} value={each}>
                  Best {each} first
                </option>
              ))}
            </select>
          )}
          <button
            type="button"
            className="button small"
            aria-pressed={props.isDiff}
            onClick={() => props.onDiff(!props.isDiff)}
          >
            Diff
          </button>
        </>
      )}
      {may(annotateExperimentRun) && (
        <span className="segments" role="group" aria-label="Mode">
          {MODE_NAMES.map(([each, label, title]) =>
            each === 'pairs' && compared.length < 2 ? null : (
              <button key={label} type="button" aria-pressed={each === mode} title={title} onClick={() => onMode(each)}>
                {label}
              </button>
            ),
          )}
        </span>
      )}
      <button
        type="button"
        className="button small icon-only"
        aria-label="Close the example"
        title="Close (Esc)"
        onClick={onClose}
      >
        <Icon name="close" size={13} />
      </button>
    </header>
  );
}
