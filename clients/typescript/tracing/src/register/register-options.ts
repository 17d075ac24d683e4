import type { DiagLogLevel } from '@opentelemetry/api';
import type { Instrumentation } from '@opentelemetry/instrumentation';
import type { SpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { BufferOptions } from '../export/buffered-exporter.ts';
import type { MaskOptions } from '../mask/mask-span.ts';

/** Where spans go, and how. */
export interface ExportParams extends BufferOptions {
  /** Address of the server or of its `/v1/traces`. Default: the environment, else `http://localhost:6006`. */
  readonly url?: string;
  /** Sent as `Authorization: Bearer …`, unless `headers` have an authorization. */
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Collect spans and send many in one request. Default true; false sends those of one turn of the event loop at once. */
  readonly batch?: boolean;
  /** What never leaves the program. `OPENINFERENCE_HIDE_…` add to it. */
  readonly mask?: MaskOptions;
}

/** Options of `register`. Those of the public helper keep their names; the others are ours. */
export interface RegisterParams extends ExportParams {
  /** Default: `SPANDREL_PROJECT`, else `default`. */
  readonly projectName?: string;
  readonly instrumentations?: Instrumentation[];
  /** In place of the one that `getDefaultSpanProcessor` makes. */
  readonly spanProcessors?: SpanProcessor[];
  /** Make the provider that of the process. Default true. */
  readonly global?: boolean;
  /** Shows the messages of OpenTelemetry up to this level. */
  readonly diagLogLevel?: DiagLogLevel;
  /** Further attributes of the resource, such as `service.name`. */
  readonly resourceAttributes?: Readonly<Record<string, string | number | boolean>>;
  /** Activates the OpenInference instrumentations that are installed: all, or those for these packages. Node only. */
  readonly autoInstrument?: boolean | readonly string[];
}
