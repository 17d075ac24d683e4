import { type ReactNode, useState } from 'react';
import type { Message, ToolCall } from '../../../../semconv/read-open-inference.ts';
import { Icon } from '../../../components/Icon.tsx';
import { KindMark } from '../../../components/Kind.tsx';
import { TextView } from '../../../components/values/TextView.tsx';
import { errorReason } from '../../../format/errors.ts';
import type { PaneProps } from '../pane-props.ts';
import { Image, Part } from '../span/Messages.tsx';
import { Value } from '../span/SpanContent.tsx';
import { OtherStep } from './OtherStep.tsx';
import { StepHead, toGist } from './StepHead.tsx';
import type { ModelContent, OtherContent } from './step-contents.ts';
import { useStepExpansion } from './step-expansion.ts';
import type { Step } from './steps.ts';

interface ModelStepProps extends PaneProps {
  readonly step: Step;
  readonly depth: number;
  readonly content: ModelContent | undefined;
  /** Output messages of the model. */
  readonly messages: readonly Message[];
  /** Steps that executed the tool calls, by index of the call. */
  readonly called: ReadonlyMap<number, Step> | undefined;
  /** Tool results that the model received next, by ID of the call. */
  readonly answers: ReadonlyMap<string, Message> | undefined;
  /** Renders nested steps. */
  readonly renderSteps: (steps: readonly Step[]) => ReactNode;
  readonly contentOf: (step: Step) => OtherContent | undefined;
}

/** Model call: its reasoning, its output, and its tool calls with their results. */
export function ModelStep(props: ModelStepProps) {
  const { step, depth, content, messages, called, answers, contentOf, renderSteps, ...pane } = props;
  const { index } = step;
  const [isOpen, setOpen] = useStepExpansion(pane.tree.rowId(index), true);
  const calls = messages.flatMap(({ toolCalls }) => toolCalls);
  const parts = messages.flatMap((message) => message.parts);
  const hasSaid = parts.length > 0 || calls.length > 0;
  const isError = pane.tree.isError(index);
  return (
    <li className="step kind-llm" data-selected={index === pane.selected}>
      <StepHead
        {...pane}
        index={index}
        isOpen={isOpen}
        onToggle={() => setOpen(!isOpen)}
        gist={isOpen ? undefined : toGist(content?.output?.value ?? calls.map(({ name }) => name).join(', '))}
      />
      {isOpen && (
        <div className="step-body">
          {parts.map((part, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a part's place is its name
            <Part key={place} part={part} isToolResult={false} />
          ))}
          {!hasSaid && content?.output && <Value {...content.output} />}
          {!hasSaid && content && !content.output && !isError && <span className="muted">No output recorded</span>}
          {isError && content && <p className="problem">{errorReason(content)}</p>}
          {calls.length > 0 && (
            <ol className="steps" aria-label="Tool calls">
              {calls.map((call, place) => {
                const by = called?.get(place);
                const key = call.id ?? place;
                return by ? (
                  <OtherStep
                    key={key}
                    {...pane}
                    step={by}
                    depth={depth + 1}
                    content={contentOf(by)}
                    renderSteps={renderSteps}
                    given={call.arguments}
                  />
                ) : (
                  <BareCall key={key} call={call} answer={call.id === undefined ? undefined : answers?.get(call.id)} />
                );
              })}
            </ol>
          )}
        </div>
      )}
    </li>
  );
}

/** Tool call that no span of the trace executed. */
function BareCall({ call, answer }: { readonly call: ToolCall; readonly answer: Message | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const answered = answer?.parts.map((part) => ('text' in part ? part.text : '')).join(' ');
  return (
    <li className="step kind-tool">
      <header>
        <button type="button" className="step-fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name="right" size={11} />
          <KindMark kind="tool" />
          <strong>{call.name}</strong>
          {!isOpen && (
            <span className="muted clip">{toGist(`${call.arguments ?? ''}${answered ? ` → ${answered}` : ''}`)}</span>
          )}
        </button>
      </header>
      {isOpen && (
        <div className="step-body">
          <div className="step-part">
            <span className="muted">Arguments</span>
            <Value mimeType="json" value={call.arguments ?? ''} />
          </div>
          {answer ? (
            <div className="step-part">
              <span className="muted">Result</span>
              {answer.parts.map((part, place) =>
                part.type === 'text' ? (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a part's place is its name
                  <Value key={place} mimeType="json" value={part.text} />
                ) : part.type === 'image' ? (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a part's place is its name
                  <Image key={place} url={part.url} />
                ) : (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a part's place is its name
                  <TextView key={place} text={part.type === 'other' ? JSON.stringify(part.value) : part.text} />
                ),
              )}
            </div>
          ) : (
            <p className="muted">No span of this trace executed this call.</p>
          )}
        </div>
      )}
    </li>
  );
}
