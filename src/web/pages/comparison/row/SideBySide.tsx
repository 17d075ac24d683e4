import { useMemo, useRef, useState } from 'react';
import { Failure } from '../../../components/Failure.tsx';
import type { SparseRows } from '../../../components/table/row-list.ts';
import { setSearch, useLocation } from '../../../router/location.ts';
import { useHotkeys } from '../../../shell/use-hotkeys.ts';
import { readAddress, writeRunIndexes } from '../address.ts';
import { AnnotateRun } from '../annotate/AnnotateRun.tsx';
import { PreferRun } from '../annotate/PreferRun.tsx';
import type { Compared, ComparedRow, Comparison } from '../compared.ts';
import { ExampleColumn } from './ExampleColumn.tsx';
import { sortByScore, toBlind } from './order-columns.ts';
import { RunColumn } from './RunColumn.tsx';
import { type AnnotateMode, SideBar } from './SideBar.tsx';
import { useComparedExample } from './use-compared-example.ts';
import './row.css';

interface SideBySideProps {
  readonly compared: readonly Compared[];
  readonly comparison: Comparison | undefined;
  readonly exampleId: string;
  /** Rows of the grid in order, some of which are loaded. */
  readonly rows: SparseRows<ComparedRow>;
  /** Experiment that the keys H and L had chosen in the grid. */
  readonly startIndex: number;
}

const MODES: readonly AnnotateMode[] = ['scores', 'blind', 'pairs'];

/** One example with the whole outputs of all experiments. J and K go through the rows of the grid. */
export function SideBySide({ compared, comparison, exampleId, rows, startIndex }: SideBySideProps) {
  const { search } = useLocation();
  const mode = MODES.find((each) => each === search.get('annotate'));
  const seed = search.get('seed') ?? '';
  const panel = useRef<HTMLDivElement>(null);
  const { hiddenIds, runIndexes } = readAddress(search);
  const left: ReadonlySet<string> = new Set(hiddenIds);
  const [scoreName, setScoreName] = useState<string>();
  const [isDiff, setDiff] = useState(search.get('cells') === 'diff');
  const [current, setCurrent] = useState(startIndex);
  const [revealed, setRevealed] = useState<ReadonlySet<string>>(new Set());
  const { example, revision, runs, viewerId, failure, refetch } = useComparedExample(exampleId, compared);

  const isBlind = (mode === 'blind' || mode === 'pairs') && !revealed.has(exampleId);
  const runsOf = useMemo(() => {
    const byId = new Map(compared.map(({ id }) => [id, runs.filter(({ experimentId }) => experimentId === id)]));
    return (id: string) => byId.get(id) ?? [];
  }, [runs, compared]);
  const pair = mode === 'pairs' ? pairOf(compared, search.getAll('pair')) : undefined;
  const visible = compared.filter(({ id }) => !left.has(id));
  const chosen = pair ?? (visible.length > 0 ? visible : compared);
  const isLowerBetter = comparison?.measures.find(({ name }) => name === scoreName)?.direction === 'MINIMIZE';
  const shown = isBlind
    ? toBlind(chosen, `${seed}:${exampleId}`)
    : scoreName === undefined
      ? chosen
      : sortByScore(chosen, runsOf, scoreName, isLowerBetter);
  const at = Math.min(current, shown.length - 1);
  const runAt = (index: number) => {
    const of = shown[index];
    const list = of ? runsOf(of.id) : [];
    return list[Math.min(runIndexes.get(of?.id ?? '') ?? 0, list.length - 1)];
  };
  const [base] = compared;
  const baseRun = (repetition: number) => {
    const list = runsOf(base!.id);
    return list.find(({ repetitionNumber }) => repetitionNumber === repetition) ?? list[0];
  };

  const index = rows.indexOf(exampleId);
  const goTo = (next: number) => {
    // An example that a link names may not be loaded. The keys then begin at the first row.
    const row = rows.rowAt(index < 0 ? 0 : next);
    if (row) setSearch({ exampleId: row.exampleId }, { replaces: true });
  };
  const [done] = useState(() => new Set<string>());
  /** Opens the next loaded example for whose pair the user has no preference yet. */
  const openNextPair = (): boolean => {
    done.add(exampleId);
    for (let at = index + 1; at < rows.count; at++) {
      const row = rows.rowAt(at);
      if (row === undefined) break;
      if (done.has(row.exampleId) || hasOwnPreference(row, pair ?? [])) continue;
      setSearch({ exampleId: row.exampleId }, { replaces: true });
      return true;
    }
    return false;
  };
  const close = () => setSearch({ exampleId: null, annotate: null, seed: null, hidden: null, repetitions: null });
  const showRun = (id: string, index: number) =>
    setSearch({ repetitions: writeRunIndexes(new Map(runIndexes).set(id, index)) }, { replaces: true });
  const reveal = () => setRevealed(new Set([...revealed, exampleId]));
  const move = (step: number) => {
    const next = Math.min(shown.length - 1, Math.max(0, at + step));
    setCurrent(next);
    panel.current?.querySelectorAll('.run-column')[next]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  useHotkeys(
    {
      j: () => goTo(index + 1),
      k: () => goTo(index - 1),
      h: () => move(-1),
      l: () => move(1),
      ...(mode === 'blind' ? { r: reveal } : {}),
      escape: close,
    },
    { isFirst: true },
  );
  return (
    <div className="side-by-side" ref={panel} role="region" aria-label="Runs side by side" data-mode={mode}>
      <SideBar
        name={example?.externalId ?? undefined}
        index={index}
        count={rows.count}
        compared={compared}
        left={left}
        onLeft={(ids) => setSearch({ hidden: [...ids].join(',') || null }, { replaces: true })}
        scoreNames={
          isBlind ? [] : [...new Set(runs.flatMap(({ annotations }) => annotations.edges.map(({ node }) => node.name)))]
        }
        scoreName={scoreName}
        onScoreName={setScoreName}
        isDiff={isDiff}
        onDiff={setDiff}
        mode={mode}
        onMode={(next) =>
          setSearch({ annotate: next ?? null, seed: next ? crypto.randomUUID().slice(0, 8) : null }, { replaces: true })
        }
        onGo={(step) => goTo(index + step)}
        onClose={close}
      />
      {failure ? (
        <Failure failure={failure} onRetry={refetch} />
      ) : (
        <div className="side-body">
          <div className="side-columns" aria-busy={!example} style={{ '--runs': shown.length } as React.CSSProperties}>
            <ExampleColumn revision={revision} splits={example?.datasetSplits ?? []} />
            {example &&
              shown.map((each, column) => (
                <RunColumn
                  key={each.id}
                  of={each}
                  runs={runsOf(each.id)}
                  index={runIndexes.get(each.id) ?? 0}
                  onIndex={(next) => showRun(each.id, next)}
                  base={
                    isDiff && !isBlind && each.id !== base!.id
                      ? baseRun(runAt(column)?.repetitionNumber ?? 1)
                      : undefined
                  }
                  baseLetter={base!.letter}
                  isBlind={isBlind}
                  isCurrent={column === at && mode !== 'pairs' && shown.length > 1}
                  onFocus={() => setCurrent(column)}
                />
              ))}
          </div>
          {example && (mode === 'scores' || mode === 'blind') && (
            <AnnotateRun
              of={shown[at]}
              run={runAt(at)}
              viewerId={viewerId}
              isBlind={isBlind}
              onNextRun={() => (at < shown.length - 1 ? move(1) : isBlind ? reveal() : goTo(index + 1))}
              onReveal={reveal}
            />
          )}
          {mode === 'pairs' && (
            <PreferRun
              compared={compared}
              pair={pair}
              sides={[runAt(0), runAt(1)]}
              row={index < 0 ? undefined : rows.rowAt(index)}
              isReady={example !== undefined}
              comparison={comparison}
              rowCount={rows.count}
              onNext={openNextPair}
            />
          )}
        </div>
      )}
    </div>
  );
}

/** Whether the user has said which run of these experiments is better. */
function hasOwnPreference({ cells, preferences }: ComparedRow, pair: readonly Compared[]): boolean {
  const runIds = new Set(
    cells.flatMap(({ experimentId, runs }) =>
      pair.some(({ id }) => id === experimentId) ? runs.map(({ id }) => id) : [],
    ),
  );
  return preferences.some((each) => each.isMine && each.runIds.every((id) => runIds.has(id)));
}

/** The two experiments of the address, else the first two. */
function pairOf(compared: readonly Compared[], ids: readonly string[]): readonly Compared[] {
  const named = ids.flatMap((id) => compared.find((each) => each.id === id) ?? []);
  return named.length === 2 && named[0] !== named[1] ? named : compared.slice(0, 2);
}
