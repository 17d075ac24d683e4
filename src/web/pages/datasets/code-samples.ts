import type { CodeSample } from '../../components/code/code-sample.ts';

/** Programs that create a dataset with two examples. @param url Address of this server, without a slash at the end */
export const datasetSamples = (url: string): readonly CodeSample[] => [
  {
    language: 'python',
    install: 'pip install arize-phoenix-client',
    code: `from phoenix.client import Client

client = Client(base_url="${url}")
dataset = client.datasets.create_dataset(
    name="support-questions",
    inputs=[{"question": "How do I reset my password?"}, {"question": "Do you deliver abroad?"}],
    outputs=[{"answer": "Use the link on the sign-in page."}, {"answer": "Yes, to all of Europe."}],
)
print(dataset.id)`,
  },
  {
    language: 'typescript',
    install: 'npm install @arizeai/phoenix-client',
    code: `import { createClient } from '@arizeai/phoenix-client';
import { createDataset } from '@arizeai/phoenix-client/datasets';

const { datasetId } = await createDataset({
  client: createClient({ options: { baseUrl: '${url}' } }),
  name: 'support-questions',
  description: 'Questions of customers',
  examples: [
    { input: { question: 'How do I reset my password?' }, output: { answer: 'Use the link on the sign-in page.' } },
    { input: { question: 'Do you deliver abroad?' }, output: { answer: 'Yes, to all of Europe.' } },
  ],
});
console.log(datasetId);`,
  },
  {
    language: 'curl',
    code: `curl '${url}/v1/datasets/upload?sync=true' -H 'content-type: application/json' -d '{
  "name": "support-questions",
  "inputs": [{"question": "How do I reset my password?"}, {"question": "Do you deliver abroad?"}],
  "outputs": [{"answer": "Use the link on the sign-in page."}, {"answer": "Yes, to all of Europe."}]
}'`,
  },
];
