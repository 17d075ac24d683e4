import type { ComponentProps, ReactNode } from 'react';

interface FieldProps {
  readonly label: ReactNode;
  readonly isMono?: boolean;
  /** Shown below the field. */
  readonly hint?: ReactNode;
  readonly onChange: (value: string) => void;
}

/** Attributes that a field passes on. */
type Passed<Element extends 'input' | 'textarea' | 'select'> = Omit<
  ComponentProps<Element>,
  'className' | 'onChange' | 'ref'
>;

/** A line of text with its label. */
export const InputField = ({ label, isMono, hint, onChange, ...passed }: FieldProps & Passed<'input'>) => (
  <Field label={label} hint={hint}>
    <input {...passed} className={classOf(isMono)} onChange={(event) => onChange(event.target.value)} />
  </Field>
);

/** Lines of text with their label. */
export const TextAreaField = ({ label, isMono, hint, onChange, ...passed }: FieldProps & Passed<'textarea'>) => (
  <Field label={label} hint={hint}>
    <textarea {...passed} className={classOf(isMono)} onChange={(event) => onChange(event.target.value)} />
  </Field>
);

/** A choice with its label. Children are its options. */
export const SelectField = ({ label, isMono, hint, onChange, ...passed }: FieldProps & Passed<'select'>) => (
  <Field label={label} hint={hint}>
    <select {...passed} className={classOf(isMono)} onChange={(event) => onChange(event.target.value)} />
  </Field>
);

const classOf = (isMono = false): string => (isMono ? 'input mono' : 'input');

const Field = ({ label, hint, children }: Pick<FieldProps, 'label' | 'hint'> & { readonly children: ReactNode }) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
  <label className="field">
    <span>{label}</span>
    {children}
    {hint && <span className="muted">{hint}</span>}
  </label>
);
