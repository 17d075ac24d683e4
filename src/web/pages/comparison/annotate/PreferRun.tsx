import { useRef, useState } from 'react';
import { toastFailure } from '../../../components/toasts.tsx';
import { send, toFailure } from '../../../data/request.ts';
import { formatCount } from '../../../format/numbers.ts';
import { navigate, useLocation } from '../../../router/location.ts';
import { useHotkeys } from '../../../shell/use-hotkeys.ts';
import { withAll } from '../address.ts';
import type { Compared, ComparedRow, Comparison } from '../compared.ts';
import { ExperimentName } from '../ExperimentMark.tsx';
import type { WholeRun } from '../row/whole-run.ts';
import { OutcomeBar } from '../summary/OutcomeBar.tsx';
import { deleteExperimentRunPreference, preferExperimentRun } from './generated/annotate.ts';
import { useRereadAtEnd } from './use-run-annotations.ts';

interface PreferRunProps {
  readonly compared: readonly Compared[];
  /** The two experiments whose outputs are compared, with their names. */
  readonly pair: readonly Compared[] | undefined;
  /** Runs on the left and right side. */
  readonly sides: readonly [WholeRun | undefined, WholeRun | undefined];
  /** The row of the example, if it is loaded. Its preferences are those from before the user began. */
  readonly row: ComparedRow | undefined;
  readonly isReady: boolean;
  readonly comparison: Comparison | undefined;
  /** Number of examples in the grid. */
  readonly rowCount: number;
  /** Opens the next example without a preference of the user. Returns false if there is none. */
  readonly onNext: () => boolean;
}

type Choice = 'left' | 'right' | 'tie';
/** A preferred run, or none: a tie. */
type Preferred = string | null;

/** Asks which of two outputs is better, without telling which experiments they are of. */
export function PreferRun(props: PreferRunProps) {
  const { compared, pair = [], sides, row, isReady, comparison, rowCount, onNext } = props;
  const { path, search } = useLocation();
  const [count, setCount] = useState(0);
  const [isDone, setDone] = useState(false);
  const isSaving = useRef(false);
  const { note, reread } = useRereadAtEnd();
  const finish = () => {
    reread();
    setDone(true);
  };
  const [left, right] = sides;
  const canChoose = isReady && left !== undefined && right !== undefined;
  /** What the user has changed since the rows were read, by the runs of a pair. Undefined: removed. */
  const [changed, setChanged] = useState<ReadonlyMap<string, Preferred | undefined>>(new Map());
  const runIds = canChoose ? [left.id, right.id] : [];
  const key = runIds.toSorted().join(' ');
  const stored = row?.preferences.find((each) => each.isMine && runIds.every((id) => each.runIds.includes(id)));
  const own = !canChoose ? undefined : changed.has(key) ? changed.get(key) : stored?.preferredRunId;
  const record = (preferred: Preferred | undefined) => {
    setChanged(new Map(changed).set(key, preferred));
    setCount((before) => before + Number(preferred !== undefined) - Number(own !== undefined));
    note();
  };
  const choose = async (choice: Choice) => {
    if (!canChoose || isSaving.current) return;
    isSaving.current = true;
    try {
      const preferredRunId = choice === 'tie' ? null : choice === 'left' ? left.id : right.id;
      await send(preferExperimentRun, { input: { runIds: [left.id, right.id], preferredRunId } });
      record(preferredRunId);
      if (!onNext()) finish();
    } catch (error) {
      toastFailure(`The preference was not saved: ${toFailure(error).message}`);
    } finally {
      isSaving.current = false;
    }
  };
  const remove = async () => {
    if (own === undefined || isSaving.current) return;
    isSaving.current = true;
    try {
      await send(deleteExperimentRunPreference, { runIds });
      record(undefined);
    } catch (error) {
      toastFailure(`The preference was not removed: ${toFailure(error).message}`);
    } finally {
      isSaving.current = false;
    }
  };
  const isOwn = (choice: Choice) =>
    own !== undefined && own === (choice === 'tie' ? null : choice === 'left' ? left?.id : right?.id);
  const keys = { '1': () => choose('left'), '2': () => choose('right'), '0': () => choose('tie') };
  useHotkeys(
    { a: keys['1'], b: keys['2'], t: keys['0'], '1': keys['1'], '2': keys['2'], '0': keys['0'], x: remove },
    { isFirst: true },
  );
  const ids = pair.map(({ id }) => id);
  const result = comparison?.preferences.find(({ experimentIds }) => ids.every((id) => experimentIds.includes(id)));
  const [before] = useState(result ? result.wins + result.losses + result.ties : 0);
  const total = before + count;
  return (
    <aside className="annotate-run" aria-label="Which output is better?">
      <h3>Which output is better?</h3>
      <div className="prefer-buttons">
        <button
          type="button"
          className="button"
          aria-pressed={isOwn('left')}
          disabled={!canChoose}
          onClick={() => void choose('left')}
        >
          <kbd>1</kbd> Left is better
        </button>
        <button
          type="button"
          className="button"
          aria-pressed={isOwn('tie')}
          disabled={!canChoose}
          onClick={() => void choose('tie')}
        >
          <kbd>0</kbd> Tie
        </button>
        <button
          type="button"
          className="button"
          aria-pressed={isOwn('right')}
          disabled={!canChoose}
          onClick={() => void choose('right')}
        >
          <kbd>2</kbd> Right is better
        </button>
      </div>
      {own !== undefined && (
        <div className="row prefer-own">
          <span className="muted" role="status">
            Your preference is stored.
          </span>
          <button type="button" className="button bare small" onClick={() => void remove()}>
            Remove it <kbd>X</kbd>
          </button>
        </div>
      )}
      {isReady && !canChoose && <p className="muted">One of the experiments has no run of this example.</p>}
      <div className="prefer-progress">
        <progress
          className="grow"
          max={Math.max(1, rowCount)}
          value={Math.min(total, rowCount)}
          aria-label="Pairs with a preference"
        />
        <span className="muted" role="status">
          {formatCount(total)} of {formatCount(rowCount)} pairs
        </span>
      </div>
      {isDone ? (
        <Result result={result} pair={pair} />
      ) : (
        <button type="button" className="button small" disabled={total === 0} onClick={finish}>
          Finish and show the result
        </button>
      )}
      {compared.length > 2 && (
        <PairChoice
          compared={compared}
          ids={ids}
          onPair={(next) => navigate(`${path}?${withAll(search, 'pair', next)}`, { replaces: true })}
        />
      )}
    </aside>
  );
}

interface ResultProps {
  readonly result: Comparison['preferences'][number] | undefined;
  readonly pair: readonly Compared[];
}

/** Names of the two experiments and how often each won. */
function Result({ result, pair }: ResultProps) {
  return (
    <section className="prefer-result" role="status">
      {result ? (
        <>
          {sortByIds(pair, result.experimentIds).map((each) => (
            <ExperimentName key={each.id} of={each} />
          ))}
          <OutcomeBar of={result} />
          <p>{result.sentence}</p>
        </>
      ) : (
        <p className="muted">No pair has a preference yet.</p>
      )}
    </section>
  );
}

/** The experiment whose wins are counted first. */
const sortByIds = (pair: readonly Compared[], ids: readonly string[]): readonly Compared[] =>
  pair.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));

interface PairChoiceProps {
  readonly compared: readonly Compared[];
  /** IDs of the two experiments. */
  readonly ids: readonly string[];
  readonly onPair: (ids: readonly string[]) => void;
}

function PairChoice({ compared, ids, onPair }: PairChoiceProps) {
  return (
    <fieldset className="pair-choice">
      <legend className="muted">Experiments of the pair</legend>
      {[0, 1].map((side) => (
        <select
          key={side}
          className="input"
          aria-label={side === 0 ? 'First experiment' : 'Second experiment'}
          value={ids[side]}
          onChange={({ target: { value } }) => onPair(side === 0 ? [value, ids[1]!] : [ids[0]!, value])}
        >
          {compared.map(({ id, letter, name }) => (
            <option key={id} value={id} disabled={id === ids[1 - side]}>
              {letter} {name}
            </option>
          ))}
        </select>
      ))}
    </fieldset>
  );
}
