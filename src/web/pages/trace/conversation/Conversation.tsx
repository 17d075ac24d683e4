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
import { StepExpansion } from './step-expansion.ts';
import { toSteps } from './steps.ts';
import './conversation.css';

/** Trace as a conversation: the input, the steps, and the output. */
export function Conversation(pane: PaneProps) {
  const { tree } = pane;
  const root = tree.roots[0]!;
  const steps = useMemo(() => toSteps(tree, root), [tree, root]);
  const [expansion] = useState(() => new Map<number, boolean>());
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
              <span className="grow">Input</span>
              <TextSwitch />
            </header>
            <ReadableText
              value={ends.input}
              text={isModel || !ends.input ? lastMessageText(ends.inputMessages ?? undefined, 'user') : undefined}
            />
          </div>
          {steps.length > 0 ? (
            <StepExpansion value={expansion}>
              <StepList {...pane} steps={steps} depth={0} />
            </StepExpansion>
          ) : (
            !isModel && (
              <p className="muted">
                This trace has no calls of models, tools or agents. Open the waterfall to see its spans.
              </p>
            )
          )}
          <div className="end answered">
            <header>{ends.statusCode === 'ERROR' && !ends.output && !ends.outputMessages ? 'Error' : 'Output'}</header>
            {ends.statusCode === 'ERROR' && <p className="problem">{errorReason(ends)}</p>}
            {(ends.output || ends.outputMessages || ends.statusCode !== 'ERROR') && (
              <ReadableText
                value={ends.output}
                text={isModel || !ends.output ? lastMessageText(ends.outputMessages ?? undefined) : undefined}
              />
            )}
          </div>
          {tree.roots.length > 1 && (
            <p className="muted">
              {tree.roots.length - 1} more {tree.roots.length === 2 ? 'span has' : 'spans have'} no parent in this
              trace. Open the waterfall to see them.
            </p>
          )}
        </>
      )}
    </section>
  );
}
