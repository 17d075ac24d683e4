import { useMemo, useState } from 'react';
import { lastMessageText } from '../../../../semconv/read-open-inference.ts';
import { Failure } from '../../../components/Failure.tsx';
import { useQuery } from '../../../data/use-query.ts';
import { errorReason } from '../../../format/errors.ts';
import type { PaneProps } from '../pane-props.ts';
import { ReadableText } from '../span/ReadableText.tsx';
import { TextSwitch } from '../span/SpanContent.tsx';
import { traceEnds } from './generated/conversation.ts';
import { StepList } from './StepList.tsx';
import { StepFolds } from './step-folds.ts';
import { toSteps } from './steps.ts';
import './conversation.css';

/** A trace as what happened: what was asked, what was done, what was answered. */
export function Conversation(pane: PaneProps) {
  const { tree } = pane;
  const root = tree.roots[0]!;
  const steps = useMemo(() => toSteps(tree, root), [tree, root]);
  const [folds] = useState(() => new Map<number, boolean>());
  const { data, failure, refetch } = useQuery(traceEnds, { id: tree.nodeId(root) });
  const ends = data?.node.__typename === 'Span' ? data.node : undefined;
  if (failure) return <Failure failure={failure} onRetry={refetch} />;
  const isModel = tree.kind(root) === 'llm';
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <section className="whole-conversation" aria-label="Conversation" aria-busy={!ends} tabIndex={0}>
      {ends && (
        <>
          <div className="end asked">
            <header className="row">
              <span className="grow">Asked</span>
              <TextSwitch />
            </header>
            <ReadableText
              side={ends.input}
              words={isModel || !ends.input ? lastMessageText(ends.inputMessages ?? undefined, 'user') : undefined}
            />
          </div>
          {steps.length > 0 ? (
            <StepFolds value={folds}>
              <StepList {...pane} steps={steps} depth={0} />
            </StepFolds>
          ) : (
            !isModel && <p className="muted">No call of a model, a tool or an agent lies between.</p>
          )}
          <div className="end answered">
            <header>
              {ends.statusCode === 'ERROR' && !ends.output && !ends.outputMessages ? 'Error' : 'Answered'}
            </header>
            {ends.statusCode === 'ERROR' && <p className="problem">{errorReason(ends)}</p>}
            {(ends.output || ends.outputMessages || ends.statusCode !== 'ERROR') && (
              <ReadableText
                side={ends.output}
                words={isModel || !ends.output ? lastMessageText(ends.outputMessages ?? undefined) : undefined}
              />
            )}
          </div>
          {tree.roots.length > 1 && (
            <p className="muted">
              {tree.roots.length - 1} more {tree.roots.length === 2 ? 'span stands' : 'spans stand'} beside the root;
              the waterfall shows them.
            </p>
          )}
        </>
      )}
    </section>
  );
}
