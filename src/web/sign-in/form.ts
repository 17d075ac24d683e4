import { element } from './dom.ts';
import { SignInProblem } from './post.ts';

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: 'email' | 'password' | 'text';
  /** Tells password managers what the field is for. */
  readonly autocomplete: string;
  readonly value?: string;
}

export interface FormOptions {
  /** Accessible name. */
  readonly label: string;
  readonly fields: readonly Field[];
  readonly action: string;
  /** Label of the button while the request runs. */
  readonly busy: string;
  readonly isPrimary?: boolean;
  /** @throws {SignInProblem} shown above the button */
  readonly submit: (values: Readonly<Record<string, string>>) => Promise<void>;
}

let formCount = 0;

/** A form of text fields. All fields are required. A problem is shown above the button, and the last field gets the focus. */
export function form({ label, fields, action, busy, isPrimary = true, submit }: FormOptions): HTMLFormElement {
  const prefix = `sign-in-${++formCount}`;
  const problem = element('p', { class: 'error-text', role: 'alert', id: `${prefix}-problem` });
  const inputs = fields.map(({ name, type, autocomplete, value }) =>
    element('input', {
      class: 'input',
      id: `${prefix}-${name}`,
      name,
      type,
      autocomplete,
      value,
      required: '',
      spellcheck: 'false',
      autocapitalize: 'none',
      'aria-describedby': problem.id,
    }),
  );
  const button = element('button', { class: isPrimary ? 'button primary' : 'button', type: 'submit' }, action);
  const created = element(
    'form',
    { class: 'sign-in-form', 'aria-label': label, method: 'post' },
    ...fields.map(({ label: text }, index) =>
      element('div', { class: 'field' }, element('label', { for: inputs[index]!.id }, text), inputs[index]),
    ),
    problem,
    button,
  );
  const setBusy = (isBusy: boolean) => {
    button.disabled = isBusy;
    button.textContent = isBusy ? busy : action;
    if (isBusy) created.setAttribute('aria-busy', 'true');
    else created.removeAttribute('aria-busy');
  };
  const showProblem = (text: string, isOfInput: boolean) => {
    problem.textContent = text;
    for (const input of inputs) input.setAttribute('aria-invalid', String(isOfInput));
  };
  created.addEventListener('submit', (event) => {
    event.preventDefault();
    if (button.disabled) return;
    showProblem('', false);
    setBusy(true);
    const values = Object.fromEntries(inputs.map(({ name, value }) => [name, value]));
    submit(values).then(
      () => undefined,
      (error: unknown) => {
        setBusy(false);
        const status = error instanceof SignInProblem ? error.status : 0;
        showProblem(error instanceof Error ? error.message : String(error), status === 401 || status === 422);
        inputs.at(-1)?.select();
      },
    );
  });
  return created;
}
