import { useEffect, useRef, useState } from 'react';
import { toFailure } from '../../data/request.ts';
import { formatCount } from '../../format/numbers.ts';
import { type AddedCases, addCases } from './add-cases.ts';
import { describeRepeated, type PreviewedExample, type SpanMapping } from './span-mapping.ts';

/** A longer selection is compared on request only: it reads all of its spans. */
const AUTOMATIC_COUNT_MAX = 200;
const WAIT_MS = 400;

interface RepeatedChoiceProps {
  /** Undefined while no dataset, or a new one, is chosen. */
  readonly datasetId: string | undefined;
  /** Whether the chosen dataset does not exist yet. */
  readonly isNew: boolean;
  readonly spanIds: readonly string[];
  readonly mapping: SpanMapping;
  /** The only example, whose repetition is known. */
  readonly example: PreviewedExample | undefined;
  readonly keepsRepeated: boolean;
  readonly onChange: (keepsRepeated: boolean) => void;
  /** Called with the number of repeated examples as far as it is known, otherwise 0. */
  readonly onCount: (repeatedCount: number) => void;
}

type Found = Pick<AddedCases, 'repeated_span_count' | 'repeated_content_count'>;

/** Says how many examples repeat others before they are added, and lets the user add them too. */
export function RepeatedChoice(props: RepeatedChoiceProps) {
  const { datasetId, isNew, spanIds, mapping, example, onCount } = props;
  const [found, setFound] = useState<Found>();
  const [progress, setProgress] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const running = useRef<AbortController>(undefined);
  const isAutomatic = spanIds.length <= AUTOMATIC_COUNT_MAX;
  const count = async () => {
    if (datasetId === undefined) return;
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setProgress(0);
    setProblem(undefined);
    const request = { datasetId, spanIds, mapping, splitNames: [], keepsRepeated: false, isDryRun: true };
    try {
      setFound(await addCases(request, { signal: controller.signal, onProgress: setProgress }));
    } catch (error) {
      if (!controller.signal.aborted) setProblem(toFailure(error).message);
    } finally {
      if (running.current === controller) setProgress(undefined);
    }
  };
  const isKnown = example !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the selection counts again
  useEffect(() => {
    setFound(undefined);
    if (datasetId === undefined || isKnown || !isAutomatic) return () => running.current?.abort();
    const timer = setTimeout(() => void count(), WAIT_MS);
    return () => {
      clearTimeout(timer);
      running.current?.abort();
    };
  }, [datasetId, mapping, spanIds, isKnown]);
  const known: Found | undefined = example
    ? {
        repeated_span_count: example.repetition === 'SPAN' ? 1 : 0,
        repeated_content_count: example.repetition === 'CONTENT' ? 1 : 0,
      }
    : found;
  const repeatedCount = known ? known.repeated_span_count + known.repeated_content_count : 0;
  useEffect(() => onCount(repeatedCount), [repeatedCount, onCount]);
  const text = known && describeRepeated(known.repeated_span_count, known.repeated_content_count);
  return (
    <div className="repeated-choice">
      {progress !== undefined && (
        <span className="muted" role="status">
          Comparing {formatCount(progress)} of {formatCount(spanIds.length)} spans with the dataset…
        </span>
      )}
      {problem !== undefined && <span className="error-text">{problem}</span>}
      {datasetId !== undefined && !isAutomatic && !found && progress === undefined && (
        <button type="button" className="button small" onClick={() => void count()}>
          Count repeated examples
        </button>
      )}
      {text !== undefined && (
        <>
          <span>Repeated: {text}. They are left out.</span>
          <KeepRepeated {...props} label="Add them too" />
        </>
      )}
      {isNew && spanIds.length > 1 && (
        <>
          <span>Spans with the same content are added once.</span>
          <KeepRepeated {...props} label="Add each of them" />
        </>
      )}
      {known && text === undefined && datasetId !== undefined && <span className="muted">No repeated examples.</span>}
    </div>
  );
}

type KeepRepeatedProps = Pick<RepeatedChoiceProps, 'keepsRepeated' | 'onChange'> & { readonly label: string };

function KeepRepeated({ keepsRepeated, onChange, label }: KeepRepeatedProps) {
  return (
    <label className="row">
      <input type="checkbox" checked={keepsRepeated} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  );
}
