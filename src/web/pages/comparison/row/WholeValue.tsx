import { useState } from 'react';
import { isObject, type Json } from '../../../../semconv/read-open-inference.ts';
import { Card, Switch } from '../../../components/values/Card.tsx';
import { JsonView } from '../../../components/values/JsonView.tsx';
import { TextView } from '../../../components/values/TextView.tsx';
import { toReadable } from '../grid/cell-text.ts';

interface WholeValueProps {
  readonly title: string;
  readonly value: unknown;
}

const VIEWS = [
  ['text', 'Text'],
  ['json', 'JSON'],
] as const;

/** Input, reference or output: its text if it has one, otherwise a tree. */
export function WholeValue({ title, value }: WholeValueProps) {
  const text = typeof value === 'string' ? value : toText(value);
  const [view, setView] = useState<'text' | 'json'>('text');
  const shown = text === undefined ? 'json' : view;
  const isEmpty = value === null || (isObject(value as Json) && Object.keys(value as object).length === 0);
  return (
    <Card
      title={title}
      copies={() => text ?? JSON.stringify(value, undefined, 2)}
      actions={
        text !== undefined &&
        typeof value !== 'string' && <Switch label={`${title} as`} values={VIEWS} value={view} onChange={setView} />
      }
    >
      {isEmpty ? (
        <span className="muted">Nothing recorded</span>
      ) : shown === 'text' ? (
        <TextView text={text!} />
      ) : (
        <JsonView value={value} />
      )}
    </Card>
  );
}

/** The text that people read in a JSON value. Undefined if it has several. */
function toText(value: unknown): string | undefined {
  const json = JSON.stringify(value) ?? '';
  const text = toReadable({ text: json, isJson: true, isCut: false });
  return text === json ? undefined : text;
}

/** A value as text, for differences. */
export const toPlain = (value: unknown): string =>
  typeof value === 'string' ? value : (toText(value) ?? JSON.stringify(value, undefined, 2) ?? '');
