import type { CodeSample } from '../../components/code/code-sample.ts';

interface Snippet extends Omit<CodeSample, 'code'> {
  /** Complete program. A project name has only letters, digits, dots, dashes and underscores, or it is quoted. */
  readonly code: (url: string, project: string) => string;
}

export const SNIPPETS: readonly Snippet[] = [
  {
    language: 'python',
    install: 'pip install arize-phoenix-otel',
    code: (url, project) => `from phoenix.otel import register

provider = register(project_name=${JSON.stringify(project)}, endpoint="${url}/v1/traces")
with provider.get_tracer("first").start_as_current_span("answer") as span:
    span.set_attribute("input.value", "What is a spandrel?")
    span.set_attribute("output.value", "The space between an arch and its frame.")
provider.force_flush()`,
  },
  {
    language: 'typescript',
    install: 'npm install @arizeai/phoenix-otel',
    code: (url, project) => `import { register, traceChain } from '@arizeai/phoenix-otel';

const provider = register({ projectName: ${JSON.stringify(project)}, url: '${url}' });
const answer = traceChain(async (question: string) => \`You asked: \${question}\`, { name: 'answer' });

await answer('What is a spandrel?');
await provider.shutdown();`,
  },
  {
    language: 'curl',
    code: (url, project) => `now=$(date +%s)
curl ${url}/v1/traces -H 'content-type: application/json' -d '{"resourceSpans":[{
  "resource":{"attributes":[{"key":"openinference.project.name","value":{"stringValue":${inShell(project)}}}]},
  "scopeSpans":[{"spans":[{"traceId":"'$(openssl rand -hex 16)'","spanId":"'$(openssl rand -hex 8)'","name":"answer",
    "startTimeUnixNano":"'$now'000000000","endTimeUnixNano":"'$now'500000000",
    "attributes":[{"key":"input.value","value":{"stringValue":"What is a spandrel?"}}]}]}]}]}'`,
  },
];

/** JSON for use in single quotes. */
const inShell = (project: string): string => JSON.stringify(project).replaceAll("'", "'\\''");
