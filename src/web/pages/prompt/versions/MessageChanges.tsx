import { useMemo, useState } from 'react';
import type { SideLabels } from '../../../components/diff/sides.ts';
import { TextDiff } from '../../../components/diff/TextDiff.tsx';
import {
  type ContentMessage,
  messagesOf,
  partsOf,
  roleLabel,
  toVersionContent,
} from '../../../components/prompt/version-content.ts';
import { formatCount } from '../../../format/numbers.ts';
import type { Version } from '../prompt-head.ts';
import { type MessagePair, pairMessages } from './pair-messages.ts';

interface MessageChangesProps {
  readonly base: Version;
  readonly version: Version;
  readonly labels: SideLabels;
}

const MESSAGE_STEP = 50;

/** The messages of two versions: added, removed, moved, or with their changed words. */
export function MessageChanges({ base, version, labels }: MessageChangesProps) {
  const before = messagesOf(toVersionContent(base.content));
  const after = messagesOf(toVersionContent(version.content));
  const pairs = useMemo(() => pairMessages(before, after), [before, after]);
  const [count, setCount] = useState(MESSAGE_STEP);
  return (
    <section className="template-messages" aria-label="Messages">
      {pairs.slice(0, count).map((pair) => (
        <MessageChange
          key={`${indexOf(pair, 'before')} ${indexOf(pair, 'after')}`}
          {...{ pair, before, after, labels }}
        />
      ))}
      {pairs.length > count && (
        <button type="button" className="button small" onClick={() => setCount(count * 4)}>
          {formatCount(pairs.length - count)} more messages
        </button>
      )}
    </section>
  );
}

const indexOf = (pair: MessagePair, side: 'before' | 'after'): number | undefined =>
  side in pair ? (pair as Record<typeof side, number>)[side] : undefined;

interface MessageChangeProps {
  readonly pair: MessagePair;
  readonly before: readonly ContentMessage[];
  readonly after: readonly ContentMessage[];
  readonly labels: SideLabels;
}

function MessageChange({ pair, before, after, labels }: MessageChangeProps) {
  const [from, to] = [indexOf(pair, 'before'), indexOf(pair, 'after')];
  const [left, right] = [from === undefined ? undefined : before[from], to === undefined ? undefined : after[to]];
  const role = roleLabel((right ?? left)!.role);
  const title = {
    same: role,
    changed: `${role}, changed`,
    moved: `${role}, moved from ${ordinal(from)} to ${ordinal(to)}`,
    added: `${role}, added as message ${(to ?? 0) + 1}`,
    removed: `${role}, removed, was message ${(from ?? 0) + 1}`,
  }[pair.kind];
  return (
    <div className="message-change" data-kind={pair.kind}>
      <TextDiff title={title} left={left && textOf(left)} right={right && textOf(right)} labels={labels} />
    </div>
  );
}

const ordinal = (index: number | undefined): string => `position ${(index ?? 0) + 1}`;

/** Text of a message. Parts that are no text are JSON. */
const textOf = (message: ContentMessage): string =>
  partsOf(message)
    .map((part) => (part.type === 'text' ? part.text : JSON.stringify(part, null, 2)))
    .join('\n');
