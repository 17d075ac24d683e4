import { isObject, type Json, type JsonObject } from '../../../../semconv/read-open-inference.ts';
import { Icon } from '../../../components/Icon.tsx';

interface SchemaFormProps {
  /** A JSON schema of an object. */
  readonly schema: JsonObject;
  /** Noun of a property, for example `parameter`. */
  readonly noun: string;
  readonly onChange: (schema: JsonObject) => void;
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const;

/** Properties of a schema, one per line. Parts that the form does not show stay as they are. */
export function SchemaForm({ schema, noun, onChange }: SchemaFormProps) {
  const properties: JsonObject = isObject(schema.properties) ? schema.properties : {};
  const entries = Object.entries(properties);
  const required = Array.isArray(schema.required) ? (schema.required as readonly Json[]) : [];
  const write = (next: readonly (readonly [string, Json])[], names: readonly Json[]) =>
    onChange({ ...schema, type: 'object', properties: Object.fromEntries(next), required: names });
  const setEntry = (index: number, name: string, value: Json) => {
    const [before] = entries[index]!;
    write(
      entries.map((entry, at) => (at === index ? [name, value] : entry)),
      required.map((each) => (each === before ? name : each)),
    );
  };
  return (
    <div className="schema-form">
      {entries.map(([name, value], index) => {
        const property: JsonObject = isObject(value) ? value : {};
        const isTaken = (next: string) => entries.some(([each], at) => each === next && at !== index);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a property is identified by its position while its name changes
          <div key={index} className="schema-line">
            <input
              className="input mono"
              aria-label={`Name of ${noun} ${index + 1}`}
              value={name}
              onChange={({ target }) => {
                if (!isTaken(target.value)) setEntry(index, target.value, value);
              }}
            />
            <select
              className="input"
              aria-label={`Type of ${name}`}
              value={typeof property.type === 'string' ? property.type : ''}
              onChange={({ target }) => setEntry(index, name, { ...property, type: target.value })}
            >
              {!TYPES.some((type) => type === property.type) && <option value="">other</option>}
              {TYPES.map((type) => (
                <option key={type}>{type}</option>
              ))}
            </select>
            <label className="row" title="The model must send it">
              <input
                type="checkbox"
                checked={required.includes(name)}
                onChange={({ target }) =>
                  write(entries, target.checked ? [...required, name] : required.filter((each) => each !== name))
                }
              />
              <span className="muted">required</span>
            </label>
            <button
              type="button"
              className="button bare small icon-only"
              aria-label={`Remove ${name}`}
              onClick={() =>
                write(
                  entries.filter((_, at) => at !== index),
                  required.filter((each) => each !== name),
                )
              }
            >
              <Icon name="close" size={12} />
            </button>
            <input
              className="input schema-description"
              aria-label={`Description of ${name}`}
              placeholder="Description for the model"
              value={typeof property.description === 'string' ? property.description : ''}
              onChange={({ target }) => setEntry(index, name, { ...property, description: target.value })}
            />
          </div>
        );
      })}
      <button
        type="button"
        className="button bare small"
        onClick={() => {
          let name = noun;
          for (let count = 2; Object.hasOwn(properties, name); count++) name = `${noun}_${count}`;
          write([...entries, [name, { type: 'string' }]], [...required, name]);
        }}
      >
        <Icon name="plus" size={12} /> {noun[0]!.toUpperCase() + noun.slice(1)}
      </button>
    </div>
  );
}
