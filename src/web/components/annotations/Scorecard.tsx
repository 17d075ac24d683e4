import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Link } from '../../router/Link.tsx';
import { AddConfig } from './AddConfig.tsx';
import { isMine } from './authorship.ts';
import { ConfigRow } from './ConfigRow.tsx';
import { dropKeys, holdKeys, replayKeys } from './held-keys.ts';
import { type AnnotationConfig, type Annotations, invalidateAnnotations } from './use-annotations.ts';

interface ScorecardProps {
  readonly of: Annotations;
  /** Increases each time the focus should move to the first config without an annotation. */
  readonly focusRequest: number;
  /** Name of the config to focus, and the number of requests for it. */
  readonly wanted: { readonly name: string; readonly count: number } | undefined;
  /** Called when all configs have an annotation and the last one was made by keyboard. */
  readonly onDone: () => void;
  /** Whether `onDone` opens another row, for which further keys wait. Default false. */
  readonly opensNext?: boolean;
}

/**
 * Inputs for each annotation config of the project. One config is active and receives the keys: the one that was used
 * or requested last, else the first one without an annotation.
 */
export function Scorecard({ of, focusRequest, wanted, onDone, opensNext = false }: ScorecardProps) {
  const { annotations, configs, target, projectId } = of;
  const card = useRef<HTMLDivElement>(null);
  const targetKey = `${target?.kind} ${target?.id} ${target?.position ?? ''}`;
  const [chosen, setChosen] = useState<{ readonly targetKey: string; readonly configId: string }>();
  const mine = new Map(annotations.filter(isMine).map((each) => [each.name, each] as const));
  const isReady = projectId !== undefined || (target?.kind === 'run' && configs.length > 0);
  const active =
    configs.find(({ id }) => chosen?.targetKey === targetKey && chosen.configId === id) ??
    configs.find(({ name }) => !mine.has(name)) ??
    configs[0];
  const activate = (configId: string) => {
    if (chosen?.configId !== configId || chosen.targetKey !== targetKey) setChosen({ targetKey, configId });
  };
  const focus = (configId: string | undefined) => {
    const index = configs.findIndex(({ id }) => id === configId);
    // Without any config, focuses the button that adds one.
    const box = card.current?.querySelectorAll('.config-annotated')[index] ?? card.current;
    box?.querySelector<HTMLElement>(box === card.current ? 'button' : '[data-first]')?.focus();
  };
  const handled = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per request, as soon as the configs are known
  useEffect(() => {
    if (focusRequest === handled.current || !isReady) return;
    handled.current = focusRequest;
    focus(active?.id);
  }, [focusRequest, isReady, targetKey]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per request
  useEffect(() => {
    if (wanted) focus(configs.find(({ name }) => name === wanted.name)?.id);
  }, [wanted]);
  useEffect(() => {
    if (isReady) replayKeys(targetKey);
  }, [isReady, targetKey]);
  // The user does not wait for the server between two configs, only before the next row.
  const byKey = useRef({ targetKey, saves: new Map<string, Promise<boolean>>() });
  useLayoutEffect(() => {
    byKey.current = { targetKey, saves: new Map() };
  }, [targetKey]);
  const goOn = (done: string, saved: Promise<boolean>) => {
    const { saves } = byKey.current;
    saves.set(done, saved);
    const at = configs.findIndex(({ id }) => id === done);
    const isOpen = ({ id, name }: AnnotationConfig) => !mine.has(name) && !saves.has(id);
    const next = [...configs.slice(at + 1), ...configs.slice(0, at)].find(isOpen);
    if (next) {
      setChosen({ targetKey, configId: next.id });
      focus(next.id);
    } else {
      if (opensNext) holdKeys(targetKey);
      void Promise.all(saves.values()).then((all) => {
        if (all.every(Boolean) && byKey.current.targetKey === targetKey) onDone();
        else dropKeys();
      });
    }
  };
  const add = (configId: string) => {
    setChosen({ targetKey, configId });
    void invalidateAnnotations();
  };
  return (
    <div ref={card} className="scorecard">
      {configs.map((config) => (
        <ConfigRow
          key={`${targetKey} ${config.id}`}
          config={config}
          given={mine.get(config.name)}
          of={of}
          isActive={config === active}
          onActivate={() => activate(config.id)}
          onDone={(saved) => goOn(config.id, saved)}
          onUndone={() => byKey.current.saves.delete(config.id)}
        />
      ))}
      {target?.kind === 'run' && configs.length === 0 && !of.isLoading && <NoConfigs />}
      {projectId !== undefined && <AddConfig projectId={projectId} configs={configs} onAdded={add} />}
    </div>
  );
}

/** Runs of experiments use all configs of the server, so there is no project to which one could be added here. */
const NoConfigs = () => (
  <div className="empty">
    <h3>No annotation configs</h3>
    <p>A config defines the labels or scores that people give.</p>
    <Link className="button" to="/settings/annotations">
      Create an annotation config
    </Link>
  </div>
);
