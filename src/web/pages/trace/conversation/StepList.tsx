import { useMemo, useState } from 'react';
import { type Message, parseIfJson, readMessages } from '../../../../semconv/read-open-inference.ts';
import { Failure } from '../../../components/Failure.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { KindMark } from '../../../components/Kind.tsx';
import { useQuery } from '../../../data/use-query.ts';
import { formatErrors } from '../../../format/errors.ts';
import { shownName } from '../../../format/names.ts';
import { formatCount, formatLatency } from '../../../format/numbers.ts';
import type { PaneProps } from '../pane-props.ts';
import { stepContents } from './generated/conversation.ts';
import { ModelStep } from './ModelStep.tsx';
import { answersById, matchCalls } from './match-calls.ts';
import { OtherStep } from './OtherStep.tsx';
import type { ModelContent, OtherContent } from './step-contents.ts';
import { joinRepeated, type RepeatedStep, type Step } from './steps.ts';

interface StepListProps extends PaneProps {
  readonly steps: readonly Step[];
  readonly depth: number;
}

/** Number of steps whose contents are read at once. */
const STEP_COUNT = 40;

/** Steps in order. A model call contains the steps that executed its tool calls. */
export function StepList({ steps, depth, ...pane }: StepListProps) {
  const { tree } = pane;
  const [count, setCount] = useState(STEP_COUNT);
  const items = useMemo(() => joinRepeated(tree, steps), [tree, steps]);
  const shown = items.slice(0, count);
  const single = shown.filter((item): item is Step => 'index' in item);
  const isModel = ({ index }: Step) => tree.kind(index) === 'llm';
  const models = single.filter(isModel);
  const others = single.filter((step) => !isModel(step));
  const toIds = (list: readonly Step[]) => list.map(({ index }) => tree.nodeId(index));
  const { data, failure, refetch } = useQuery(stepContents, {
    models: toIds(models),
    others: toIds(others),
    // Without tool spans, the results are in the next input of the model.
    withAnswers: models.length > 0 && !others.some(({ index }) => tree.kind(index) === 'tool'),
  });
  const contents = useMemo(() => {
    const nodes = [...(data?.models ?? []), ...(data?.others ?? [])];
    return new Map(nodes.flatMap((node) => (node.__typename === 'Span' ? [[node.id, node] as const] : [])));
  }, [data]);
  if (failure) return <Failure failure={failure} onRetry={refetch} />;
  const renderSteps = (below: readonly Step[]) => <StepList {...pane} steps={below} depth={depth + 1} />;
  const contentOf = ({ index }: Step) => contents.get(tree.nodeId(index));
  const held = holdCalled(pane, shown, contentOf);
  return (
    <ol className="steps" aria-busy={!data}>
      {shown.map((item) => {
        if (!('index' in item)) {
          return <Repeated key={tree.rowId(item.repeated[0]!.index)} {...pane} item={item} depth={depth} />;
        }
        if (held.within.has(item.index)) return null;
        const common = { ...pane, step: item, depth, renderSteps };
        return isModel(item) ? (
          <ModelStep
            key={tree.rowId(item.index)}
            {...common}
            content={contentOf(item) as ModelContent | undefined}
            messages={held.messages.get(item.index) ?? []}
            called={held.called.get(item.index)}
            answers={held.answers.get(item.index)}
            contentOf={contentOf as (step: Step) => OtherContent | undefined}
          />
        ) : (
          <OtherStep key={tree.rowId(item.index)} {...common} content={contentOf(item) as OtherContent | undefined} />
        );
      })}
      {items.length > count && (
        <li>
          <button type="button" className="button" onClick={() => setCount(count + STEP_COUNT)}>
            {formatCount(items.length - count)} more steps
          </button>
        </li>
      )}
    </ol>
  );
}

interface Held {
  /** Indices of steps that are shown inside the model call that requested them. */
  readonly within: ReadonlySet<number>;
  /** Output messages by index of the model's span. */
  readonly messages: ReadonlyMap<number, readonly Message[]>;
  /** Steps that executed the tool calls of a model, by index of the call. */
  readonly called: ReadonlyMap<number, ReadonlyMap<number, Step>>;
  /** Tool results that the model received next, by ID of the call. */
  readonly answers: ReadonlyMap<number, ReadonlyMap<string, Message>>;
}

function holdCalled(
  { tree }: PaneProps,
  items: readonly (Step | RepeatedStep)[],
  contentOf: (step: Step) => ModelContent | OtherContent | undefined,
): Held {
  const within = new Set<number>();
  const messages = new Map<number, readonly Message[]>();
  const called = new Map<number, ReadonlyMap<number, Step>>();
  const answers = new Map<number, ReadonlyMap<string, Message>>();
  const steps = items.filter((item): item is Step => 'index' in item);
  const places = steps.flatMap(({ index }, place) => (tree.kind(index) === 'llm' ? [place] : []));
  for (const [number, place] of places.entries()) {
    const { index } = steps[place]!;
    const content = contentOf(steps[place]!) as ModelContent | undefined;
    const said = readMessages(parseIfJson(content?.outputMessages ?? undefined));
    messages.set(index, said);
    const next = places[number + 1];
    const following = steps.slice(place + 1, next);
    const matches = matchCalls(
      said.flatMap(({ toolCalls }) => toolCalls),
      following.map((step) => ({
        name: tree.name(step.index),
        toolCallId: readId((contentOf(step) as OtherContent | undefined)?.toolCallId),
      })),
    );
    called.set(index, new Map([...matches].map(([call, at]) => [call, following[at]!])));
    for (const at of matches.values()) within.add(following[at]!.index);
    const told = next === undefined ? undefined : (contentOf(steps[next]!) as ModelContent | undefined)?.inputMessages;
    if (told) answers.set(index, answersById(readMessages(parseIfJson(told))));
  }
  return { within, messages, called, answers };
}

const readId = (text: string | null | undefined): string | undefined => {
  const id = parseIfJson(text ?? undefined);
  return typeof id === 'string' ? id : undefined;
};

function Repeated({ item, depth, ...pane }: PaneProps & { readonly item: RepeatedStep; readonly depth: number }) {
  const [isOpen, setOpen] = useState(false);
  const { tree } = pane;
  const { offsetsMs, latenciesMs } = tree.skeleton;
  const indices = item.repeated.map(({ index }) => index);
  const start = offsetsMs[indices[0]!]!;
  const end = indices.reduce((latest, index) => Math.max(latest, offsetsMs[index]! + latenciesMs[index]!), start);
  const errorCount = indices.filter(tree.isError).length;
  return (
    <li className={`step kind-${tree.kind(indices[0]!)}`}>
      <header>
        <button type="button" className="step-fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name="right" size={11} />
          <KindMark kind={tree.kind(indices[0]!)} />
          <strong className="clip" dir="auto">
            {shownName(tree.name(indices[0]!))}
          </strong>
          <span className="tree-count">× {formatCount(indices.length)}</span>
        </button>
        <span className="grow" />
        {errorCount > 0 && <span className="status-error">{formatErrors(errorCount)}</span>}
        <span className="muted">{formatLatency(end - start)}</span>
      </header>
      {isOpen && <StepListOfRun {...pane} steps={item.repeated} depth={depth + 1} />}
    </li>
  );
}

/** Steps of a group, which are not grouped again. */
function StepListOfRun({ steps, depth, ...pane }: StepListProps) {
  const [count, setCount] = useState(STEP_COUNT);
  const { tree } = pane;
  const shown = steps.slice(0, count);
  const { data, failure, refetch } = useQuery(stepContents, {
    models: [],
    others: shown.map(({ index }) => tree.nodeId(index)),
    withAnswers: false,
  });
  const contents = useMemo(
    () => new Map((data?.others ?? []).flatMap((node) => (node.__typename === 'Span' ? [[node.id, node]] : []))),
    [data],
  );
  if (failure) return <Failure failure={failure} onRetry={refetch} />;
  return (
    <ol className="steps" aria-busy={!data}>
      {shown.map((step) => {
        const content = contents.get(tree.nodeId(step.index));
        return (
          <OtherStep
            key={tree.rowId(step.index)}
            {...pane}
            step={step}
            depth={depth}
            renderSteps={(below) => <StepList {...pane} steps={below} depth={depth + 1} />}
            content={content}
          />
        );
      })}
      {steps.length > count && (
        <li>
          <button type="button" className="button" onClick={() => setCount(count + STEP_COUNT)}>
            {formatCount(steps.length - count)} more
          </button>
        </li>
      )}
    </ol>
  );
}
