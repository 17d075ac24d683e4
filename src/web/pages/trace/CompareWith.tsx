import { type FormEvent, useState } from 'react';
import { Dialog } from '../../components/Dialog.tsx';
import { Failure } from '../../components/Failure.tsx';
import { writeCondition } from '../../components/filter/write-condition.ts';
import { send, toFailure } from '../../data/request.ts';
import { useQuery } from '../../data/use-query.ts';
import { formatCount, formatLatency } from '../../format/numbers.ts';
import { useTimeFormat } from '../../format/times.ts';
import { navigate } from '../../router/location.ts';
import { type CandidatesData, candidates, idOfOtelSpan, idOfOtelTrace } from './generated/compare-with.ts';

export interface CompareWithProps {
  readonly projectId: string;
  readonly kind: 'trace' | 'span';
  /** ID of the open node. */
  readonly nodeId: string;
  /** Name of the span, or of the trace's root span. */
  readonly name: string;
  readonly onClose: () => void;
}

/** Candidates for a comparison: the newest spans or traces with the same name, or any by ID. */
export function CompareWith({ projectId, kind, nodeId, name, onClose }: CompareWithProps) {
  const times = useTimeFormat();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const isTrace = kind === 'trace';
  const filterCondition = writeCondition({ field: 'name', value: name }, false);
  const { data, failure, isLoading, refetch } = useQuery(candidates, { projectId, filterCondition, isRoots: isTrace });
  const spans = data?.node.__typename === 'Project' ? data.node.spans.edges.map(({ node }) => node) : [];
  const others = spans.filter(({ id, trace }) => (isTrace ? trace.id : id) !== nodeId);
  const go = (otherId: string) => {
    const query = new URLSearchParams({ left: otherId, right: nodeId });
    navigate(`/projects/${encodeURIComponent(projectId)}/compare?${query}`);
  };
  const find = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const id = typed.trim();
      const found = isTrace
        ? (await send(idOfOtelTrace, { id })).getTraceByOtelId
        : (await send(idOfOtelSpan, { id })).getSpanByOtelId;
      if (found) go(found.id);
      else setProblem(`No ${kind} has this ID. Check that the whole ID was copied.`);
    } catch (error) {
      setProblem(toFailure(error).message);
    }
  };
  return (
    <Dialog title={`Compare this ${kind} with`} isOpen onClose={onClose}>
      {failure ? (
        <Failure failure={failure} onRetry={refetch} />
      ) : (
        <ul className="candidates" aria-label={`Newest ${kind}s named ${name}`} aria-busy={isLoading}>
          {others.map((span) => (
            <li key={span.id}>
              <button type="button" className="menu-item" onClick={() => go(isTrace ? span.trace.id : span.id)}>
                <span title={times.full(span.startTime)}>{times.short(span.startTime)}</span>
                <span className="clip grow muted" dir="auto">
                  {span.outputPreview ?? span.inputPreview}
                </span>
                {span.statusCode === 'ERROR' && <span className="status-error">Error</span>}
                {tokensOf(span) > 0 && <span className="muted">{formatCount(tokensOf(span))} tokens</span>}
                <span>{formatLatency(span.latencyMs)}</span>
              </button>
            </li>
          ))}
          {others.length === 0 && !isLoading && (
            <li className="muted">
              No other {kind} is named {name}. Paste an ID below.
            </li>
          )}
        </ul>
      )}
      <form className="note-form" onSubmit={find}>
        <input
          className="input mono"
          aria-label={`ID of a ${kind}`}
          placeholder={isTrace ? 'Paste a trace ID' : 'Paste a span ID'}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <button type="submit" className="button" disabled={typed.trim() === ''}>
          Compare
        </button>
      </form>
      {problem && (
        <p className="error-text" role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  );
}

type ProjectNode = Extract<CandidatesData['node'], { readonly __typename: 'Project' }>;
type Candidate = ProjectNode['spans']['edges'][number]['node'];

/** Tokens of the span, or of the trace. */
const tokensOf = ({ tokenCountTotal, trace }: Candidate): number => trace.tokenUsage?.total ?? tokenCountTotal ?? 0;
