import type { ExactJson } from '../../base/exact-json.ts';
import type { AnnotationView } from '../spans/span-view.ts';

/** A session, a trace, or an element of one of their collections, as a strict filter reads it (`vocabulary.ts`). */
export interface EntityView {
  /** Values by name: text, number, timestamp in nanoseconds since the Unix epoch, or boolean. Null if missing. */
  readonly fields: Readonly<Record<string, string | number | bigint | boolean | null>>;
  readonly collections?: Readonly<Record<string, readonly EntityView[]>>;
  /** The parent of a span. Null if it is not stored. */
  readonly parentSpan?: EntityView | null;
  /** Attributes of the root span that represents the session or trace. */
  readonly attributes?: ExactJson;
  /** Annotations of the session or trace itself. */
  readonly annotations?: readonly AnnotationView[];
  /** Inputs and outputs of the session's spans without parent. */
  readonly texts?: Readonly<Record<'any_input' | 'any_output', readonly string[]>>;
}
