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
  /** Of the node that is open. */
  readonly nodeId: string;
  /** Of the span, or of the trace's root. */
  readonly name: string;
  readonly onClose: () => void;
}

/** What a trace or span could be compared with: the newest of the same name, or any by its id. */
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
      else setProblem(`No ${kind} has this id.`);
    } catch (error) {
      setProblem(toFailure(error).message);
    }
  };
  return (
    <Dialog title={`Compare this ${kind} with`} isOpen onClose={onClose}>
      {failure ? (
        <Failure failure={failure} onRetry={refetch} />
      ) : (
        <ul className="candidates" aria-label={`The newest with the name ${name}`} aria-busy={isLoading}>
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
          {others.length === 0 && !isLoading && <li className="muted">No other has the name {name}.</li>}
        </ul>
      )}
      <form className="note-form" onSubmit={find}>
        <input
          className="input mono"
          aria-label={`Id of a ${kind}`}
          placeholder={isTrace ? 'or a trace id' : 'or a span id'}
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

/** Of the trace where traces are compared. */
const tokensOf = ({ tokenCountTotal, trace }: Candidate): number => trace.tokenUsage?.total ?? tokenCountTotal ?? 0;
