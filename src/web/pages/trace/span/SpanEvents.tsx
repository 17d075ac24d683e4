import { type JsonObject, text } from '../../../../semconv/read-open-inference.ts';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { JsonView } from '../../../components/values/JsonView.tsx';
import { formatLatency } from '../../../format/numbers.ts';
import { useTimeFormat } from '../../../format/times.ts';
import type { SpanDetails } from './span-details.ts';

/** Events of a span. Exceptions have their stack trace. */
export function SpanEvents({ span }: { readonly span: SpanDetails }) {
  const times = useTimeFormat();
  if (span.events.length === 0) return <p className="muted">This span has no events.</p>;
  return (
    <div>
      {span.events.map((event, index) => {
        const attributes = (event.attributes ?? {}) as JsonObject;
        const {
          'exception.type': type,
          'exception.message': message,
          'exception.stacktrace': stack,
        } = flat(attributes);
        const others = Object.fromEntries(Object.entries(attributes).filter(([key]) => !key.startsWith('exception')));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: events have no other name
          <article className="event" key={index}>
            <header className="row">
              <strong>{event.name}</strong>
              <span className="muted" title={times.full(event.timestamp)}>
                {times.clock(event.timestamp)}, after{' '}
                {formatLatency(Date.parse(event.timestamp) - Date.parse(span.startTime))}
              </span>
            </header>
            {(type ?? message) !== undefined && (
              <p className="problem">
                {type !== undefined && <strong>{type}: </strong>}
                {message}
              </p>
            )}
            {stack !== undefined && (
              <div>
                <div className="row">
                  <span className="grow muted">Stack trace</span>
                  <CopyButton text={stack} label="Copy stack trace" />
                </div>
                <pre className="stack">{stack}</pre>
              </div>
            )}
            {Object.keys(others).length > 0 && <JsonView value={others} />}
          </article>
        );
      })}
    </div>
  );
}

/** Reads an attribute of an exception by its dotted name or nested. */
function flat(attributes: JsonObject): Readonly<Record<string, string | undefined>> {
  const exception = attributes.exception;
  const nested = typeof exception === 'object' && exception !== null ? (exception as JsonObject) : {};
  return Object.fromEntries(
    ['type', 'message', 'stacktrace'].map((name) => {
      const key = `exception.${name}`;
      return [key, text(Object.hasOwn(attributes, key) ? attributes[key] : nested[name])];
    }),
  );
}
