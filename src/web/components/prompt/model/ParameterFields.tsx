import type { Json, JsonObject } from '../../../../semconv/read-open-inference.ts';
import { parseJson } from '../variant/variant.ts';

/** A parameter that the model accepts. */
export interface OfferedParameter {
  readonly name: string;
  readonly label: string;
  readonly isRequired: boolean;
  readonly type: 'integer' | 'number' | 'boolean' | 'string' | 'list' | 'json';
  readonly min?: number;
  readonly max?: number;
}

interface ParameterFieldsProps {
  readonly offers: readonly OfferedParameter[];
  readonly values: JsonObject;
  readonly onChange: (values: JsonObject) => void;
}

/** Fields of the parameters that a model accepts. An empty field leaves its parameter out. */
export function ParameterFields({ offers, values, onChange }: ParameterFieldsProps) {
  const set = (name: string, value: Json | undefined) => {
    const rest = Object.entries(values).filter(([each]) => each !== name);
    onChange(Object.fromEntries(value === undefined ? rest : [...rest, [name, value]]));
  };
  const others = Object.keys(values).filter((name) => !offers.some((offer) => offer.name === name));
  return (
    <div className="parameter-fields">
      {offers.map((offer) => (
        <ParameterField
          key={offer.name}
          offer={offer}
          value={Object.hasOwn(values, offer.name) ? values[offer.name] : undefined}
          onChange={(value) => set(offer.name, value)}
        />
      ))}
      {others.length > 0 && (
        <p className="muted">
          Also set, in JSON: <code>{others.join(', ')}</code>
        </p>
      )}
    </div>
  );
}

interface ParameterFieldProps {
  readonly offer: OfferedParameter;
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
}

function ParameterField({ offer, value, onChange }: ParameterFieldProps) {
  const { type, label, isRequired, min, max } = offer;
  const title = isRequired ? `${label} (required)` : label;
  if (type === 'boolean') {
    return (
      <label className="row">
        <input
          type="checkbox"
          checked={value === true}
          onChange={({ target }) => onChange(target.checked || undefined)}
        />
        {title}
      </label>
    );
  }
  const isNumber = type === 'integer' || type === 'number';
  const text =
    value === undefined
      ? ''
      : type === 'list' && Array.isArray(value)
        ? value.join(', ')
        : typeof value === 'string' || typeof value === 'number'
          ? String(value)
          : JSON.stringify(value);
  return (
    <label className="field">
      <span>{title}</span>
      <input
        // The element keeps what the user types, so another value needs another element.
        key={text}
        className="input mono"
        inputMode={isNumber ? 'decimal' : 'text'}
        placeholder={min !== undefined && max !== undefined ? `${min} to ${max}` : 'Default'}
        defaultValue={text}
        onBlur={({ target }) => onChange(toValue(type, target.value))}
      />
    </label>
  );
}

/** An empty text, and one that is not of the type, is no value. */
export function toValue(type: OfferedParameter['type'], text: string): Json | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  switch (type) {
    case 'integer':
    case 'number': {
      const number = Number(trimmed.replace(',', '.'));
      if (!Number.isFinite(number)) return undefined;
      return type === 'integer' ? Math.round(number) : number;
    }
    case 'list':
      return trimmed
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== '');
    case 'json':
      return parseJson(trimmed);
    default:
      return trimmed;
  }
}
