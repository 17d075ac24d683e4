import { TextView } from '../../../components/values/TextView.tsx';
import { readableText, type SpanValue } from './readable-text.ts';
import { Value } from './SpanContent.tsx';

interface ReadableTextProps {
  readonly side: SpanValue | null | undefined;
  /** Instead of it, where the words are known better. */
  readonly words?: string | undefined;
}

/** What one side said, as words where these can be told from how they were wrapped. */
export function ReadableText({ side, words }: ReadableTextProps) {
  const plain = words ?? (side ? readableText(side) : undefined);
  if (plain !== undefined) return <TextView text={plain} />;
  return side ? <Value {...side} /> : <span className="muted">nothing recorded</span>;
}
