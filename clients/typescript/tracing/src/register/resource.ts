import { SEMRESATTRS_PROJECT_NAME } from '@arizeai/openinference-semantic-conventions';
import { DiagConsoleLogger, diag } from '@opentelemetry/api';
import { defaultResource, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import type { RegisterParams } from './register-options.ts';
import { readTraceSettings } from './trace-settings.ts';

/** The resource of all spans of a provider. It names their project. */
export function createResource({ resourceAttributes, projectName, warn = console.warn }: RegisterParams): Resource {
  const { projectName: project } = readTraceSettings({ projectName, url: 'http://localhost' }, warn);
  return defaultResource().merge(
    resourceFromAttributes({ ...resourceAttributes, [SEMRESATTRS_PROJECT_NAME]: project }),
  );
}

/** Shows the messages of OpenTelemetry if that was asked for. */
export function setDiagLogLevel({ diagLogLevel }: RegisterParams): void {
  if (diagLogLevel !== undefined)
    diag.setLogger(new DiagConsoleLogger(), { logLevel: diagLogLevel, suppressOverrideMessage: true });
}
