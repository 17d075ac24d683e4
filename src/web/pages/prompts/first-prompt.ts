import type { CodeSample } from '../../components/code/code-sample.ts';

/** Programs that create a first prompt. */
export const firstPromptSnippets = (url: string): readonly CodeSample[] => [
  {
    language: 'python',
    install: 'pip install arize-phoenix-client openai',
    code: `from phoenix.client import Client
from phoenix.client.types import PromptVersion

client = Client(base_url="${url}")
version = client.prompts.create(
    name="support-answer",
    prompt_description="Answers a question of a customer",
    version=PromptVersion(
        [
            {"role": "system", "content": "You answer questions of customers in two sentences."},
            {"role": "user", "content": "{{question}}"},
        ],
        model_name="gpt-4o-mini",
    ),
)
print(version.id)`,
  },
  {
    language: 'typescript',
    install: 'npm install @arizeai/phoenix-client',
    code: `import { createClient } from '@arizeai/phoenix-client';
import { createPrompt, promptVersion } from '@arizeai/phoenix-client/prompts';

const client = createClient({ options: { baseUrl: '${url}' } });
const version = await createPrompt({
  client,
  name: 'support-answer',
  description: 'Answers a question of a customer',
  version: promptVersion({
    modelProvider: 'OPENAI',
    modelName: 'gpt-4o-mini',
    template: [
      { role: 'system', content: 'You answer questions of customers in two sentences.' },
      { role: 'user', content: '{{question}}' },
    ],
  }),
});
console.log(version.id);`,
  },
  {
    language: 'curl',
    code: `curl ${url}/v1/prompts -H 'content-type: application/json' -H "authorization: Bearer $PHOENIX_API_KEY" -d '{
  "prompt": {"name": "support-answer", "description": "Answers a question of a customer"},
  "version": {
    "model_provider": "OPENAI", "model_name": "gpt-4o-mini",
    "template_type": "CHAT", "template_format": "MUSTACHE",
    "template": {"type": "chat", "messages": [
      {"role": "system", "content": "You answer questions of customers in two sentences."},
      {"role": "user", "content": "{{question}}"}]},
    "invocation_parameters": {"type": "openai", "openai": {}}}}'`,
  },
];
