import { PROMPT_VERSION_ATTRIBUTES } from '../../../../semconv/prompt-attributes.ts';
import type { CodeSample } from '../../../components/code/code-sample.ts';

/** Programs whose spans name a version, so that its calls are counted. */
export const spanSnippets = (versionId: string, url: string): readonly CodeSample[] => [
  {
    language: 'python',
    install: 'pip install arize-phoenix-otel',
    note: 'Spans of instrumented libraries inside of the block name the version, too.',
    code: `from phoenix.otel import register, using_prompt_template

provider = register(project_name="default", endpoint="${url}/v1/traces")
tracer = provider.get_tracer("app")
with using_prompt_template(version="${versionId}"):
    with tracer.start_as_current_span("call", openinference_span_kind="llm"):
        pass  # Call the model here.
provider.force_flush()`,
  },
  {
    language: 'typescript',
    install: 'npm install @arizeai/phoenix-otel @opentelemetry/api',
    note: 'Spans of instrumented libraries inside of the function name the version, too.',
    code: `import { context } from '@opentelemetry/api';
import { register, setPromptTemplate, traceChain } from '@arizeai/phoenix-otel';

const provider = register({ projectName: 'default', url: '${url}' });
const call = traceChain(async () => 'Call the model here.', { name: 'call', kind: 'LLM' });

const prompt = { template: '', version: '${versionId}' };
await context.with(setPromptTemplate(context.active(), prompt), call);
await provider.shutdown();`,
  },
  {
    language: 'curl',
    code: `now=$(date +%s)
curl ${url}/v1/traces -H 'content-type: application/json' -H "authorization: Bearer $PHOENIX_API_KEY" -d '{"resourceSpans":[{"scopeSpans":[{"spans":[{
  "traceId":"'$(openssl rand -hex 16)'","spanId":"'$(openssl rand -hex 8)'","name":"call",
  "startTimeUnixNano":"'$now'000000000","endTimeUnixNano":"'$now'500000000","attributes":[
    {"key":"openinference.span.kind","value":{"stringValue":"LLM"}},
    {"key":"${PROMPT_VERSION_ATTRIBUTES[0]}","value":{"stringValue":"${versionId}"}}]}]}]}]}'`,
  },
];
