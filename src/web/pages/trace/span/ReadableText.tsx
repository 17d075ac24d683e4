import { TextView } from '../../../components/values/TextView.tsx';
import { readableText, type SpanValue } from './readable-text.ts';
import { Value } from './SpanContent.tsx';

interface ReadableTextProps {
  readonly value: SpanValue | null | undefined;
  /** Replaces the value if its text is known. */
  readonly text?: string | undefined;
}

/** Input or output of a span as text, if its JSON wrapper is known. */
export function ReadableText({ value, text }: ReadableTextProps) {
  const plain = text ?? (value ? readableText(value) : undefined);
  if (plain !== undefined) return <TextView text={plain} />;
  return value ? <Value {...value} /> : <span className="muted">Nothing recorded</span>;
}
