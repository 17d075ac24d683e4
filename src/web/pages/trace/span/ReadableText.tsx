import { TextView } from '../../../components/values/TextView.tsx';
import { type Side, sayingOf } from './readable-text.ts';
import { Value } from './SpanContent.tsx';

interface SayingProps {
  readonly side: Side | null | undefined;
  /** Instead of it, where the words are known better. */
  readonly words?: string | undefined;
}

/** What one side said, as words where these can be told from how they were wrapped. */
export function Saying({ side, words }: SayingProps) {
  const plain = words ?? (side ? sayingOf(side) : undefined);
  if (plain !== undefined) return <TextView text={plain} />;
  return side ? <Value {...side} /> : <span className="muted">nothing recorded</span>;
}
