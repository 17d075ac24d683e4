import { type ReactNode, useState } from 'react';
import { CopyButton } from '../CopyButton.tsx';
import { Icon } from '../Icon.tsx';
import './values.css';

interface CardProps {
  readonly title: string;
  readonly copies?: string | (() => string) | undefined;
  /** Controls in the header, such as a switch between views. */
  readonly actions?: ReactNode;
  readonly isFoldedAtFirst?: boolean;
  readonly children: ReactNode;
}

/** Collapsible section of a span's content. */
export function Card({ title, copies, actions, isFoldedAtFirst = false, children }: CardProps) {
  const [isOpen, setOpen] = useState(!isFoldedAtFirst);
  return (
    <section className="value-card">
      <header>
        <h3>
          <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <Icon name="right" size={12} /> {title}
          </button>
        </h3>
        {isOpen && actions}
        {copies !== undefined && <CopyButton text={copies} label={`Copy ${title.toLowerCase()}`} />}
      </header>
      {isOpen && <div className="value-body">{children}</div>}
    </section>
  );
}

interface SwitchProps<Value extends string> {
  readonly label: string;
  readonly values: readonly (readonly [Value, string])[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

export function Switch<Value extends string>({ label, values, value, onChange }: SwitchProps<Value>) {
  if (values.length < 2) return null;
  return (
    <span className="segments" role="group" aria-label={label}>
      {values.map(([each, text]) => (
        <button key={each} type="button" aria-pressed={each === value} onClick={() => onChange(each)}>
          {text}
        </button>
      ))}
    </span>
  );
}
