import type { ExactJson } from '../../base/exact-json.ts';
import type { AnnotationView } from '../spans/span-view.ts';

/** A session, a trace, or an element of one of their collections, as a strict filter sees it (`vocabulary.ts`). */
export interface EntityView {
  /** By name: text, number, timestamp in nanoseconds since the Unix epoch, or truth value; null when missing. */
  readonly fields: Readonly<Record<string, string | number | bigint | boolean | null>>;
  readonly collections?: Readonly<Record<string, readonly EntityView[]>>;
  /** Of a span: null when it is not stored. */
  readonly parentSpan?: EntityView | null;
  /** Of the root span that stands for the session or trace. */
  readonly attributes?: ExactJson;
  /** Of the session or trace itself. */
  readonly annotations?: readonly AnnotationView[];
  /** Inputs and outputs of the session's parentless spans. */
  readonly texts?: Readonly<Record<'any_input' | 'any_output', readonly string[]>>;
}
