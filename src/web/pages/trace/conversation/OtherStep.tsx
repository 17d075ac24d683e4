import type { ReactNode } from 'react';
import { errorReason } from '../../../format/errors.ts';
import { formatCount } from '../../../format/numbers.ts';
import type { PaneProps } from '../pane-props.ts';
import { Value } from '../span/SpanContent.tsx';
import { StepHead, toGist } from './StepHead.tsx';
import type { OtherContent } from './step-contents.ts';
import { useStepExpansion } from './step-expansion.ts';
import type { Step } from './steps.ts';

interface OtherStepProps extends PaneProps {
  readonly step: Step;
  readonly depth: number;
  readonly content: OtherContent | undefined;
  /** Renders nested steps. */
  readonly renderSteps: (steps: readonly Step[]) => ReactNode;
  /** Arguments from the model, if a model called this step. */
  readonly given?: string | undefined;
}

/** Number of nested steps that are expanded by default. */
const OPEN_STEP_COUNT_MAX = 12;

/** Step of a tool, agent or retriever: input, nested steps and output. */
export function OtherStep({ step, depth, content, renderSteps, given, ...pane }: OtherStepProps) {
  const { tree, selected } = pane;
  const { index, steps } = step;
  const isAgent = tree.kind(index) === 'agent';
  const [isOpen, setOpen] = useStepExpansion(
    tree.rowId(index),
    isAgent && steps.length <= OPEN_STEP_COUNT_MAX && depth < 3,
  );
  const asked = given ?? content?.input?.value ?? '';
  const answered = content?.numDocuments
    ? documents(content.numDocuments)
    : tree.isError(index)
      ? content && errorReason(content)
      : content?.output?.value;
  return (
    <li className={`step kind-${tree.kind(index)}`} data-selected={index === selected}>
      <StepHead
        {...pane}
        index={index}
        isOpen={isOpen}
        onToggle={() => setOpen(!isOpen)}
        gist={isOpen ? undefined : toGist(`${asked}${answered ? ` → ${answered}` : ''}`)}
      />
      {isOpen && (
        <div className="step-body">
          <Part label="Input" value={given} side={content?.input} />
          {steps.length > 0 && renderSteps(steps)}
          {tree.isError(index) && content && <p className="problem">{errorReason(content)}</p>}
          {content?.numDocuments ? (
            <p className="muted">{documents(content.numDocuments)}. Open the span to see them.</p>
          ) : (
            <Part label="Output" side={content?.output} />
          )}
        </div>
      )}
    </li>
  );
}

const documents = (count: number): string => `${formatCount(count)} ${count === 1 ? 'document' : 'documents'}`;

interface PartProps {
  readonly label: string;
  readonly value?: string | undefined;
  readonly side: OtherContent['input'] | undefined;
}

function Part({ label, value, side }: PartProps) {
  const shown = value === undefined ? side : { mimeType: 'json' as const, value };
  if (!shown || shown.value === '') return null;
  return (
    <div className="step-part">
      <span className="muted">{label}</span>
      <Value {...shown} />
    </div>
  );
}
