/** An output config, and what asks for it: the variables of a valid LLM evaluator, of which tests change a part. */
export const categorical = (name: string, labels: readonly string[] = ['good', 'bad']) => ({
  categorical: {
    name,
    optimizationDirection: 'MAXIMIZE',
    values: labels.map((label, index) => ({ label, score: labels.length - 1 - index })),
  },
});

export const continuous = (name: string) => ({
  continuous: { name, optimizationDirection: 'MINIMIZE', lowerBound: 0 },
});

export const toolOf = (name: string, labels: readonly string[] = ['good', 'bad'], over: object = {}) => ({
  function: {
    name,
    description: 'how good it is',
    parameters: {
      type: 'object',
      properties: {
        label: { type: 'string', enum: labels, description: name },
        explanation: { type: 'string', description: 'why' },
      },
      required: ['label'],
    },
    ...over,
  },
});

export const promptOf = (over: object = {}, names: readonly string[] = ['quality']) => ({
  templateFormat: 'MUSTACHE',
  template: { messages: [{ role: 'USER', content: [{ text: { text: 'Judge {{output}}' } }] }] },
  invocationParameters: { openai: { temperature: 0 } },
  tools: { tools: names.map((name) => toolOf(name)), toolChoice: { oneOrMore: true } },
  modelProvider: 'OPENAI',
  modelName: 'gpt-4o',
  ...over,
});

export const mapping = (paths: object = { output: '$.output' }, literals: object = {}) => ({
  pathMapping: paths,
  literalMapping: literals,
});

export const BINDING = `id name description
  evaluator { __typename id name kind isBuiltin description inputSchema
    ... on LLMEvaluator { prompt { id name labels { name } versionCount } promptVersion { id modelName } promptVersionTag { name } outputConfigs { ...Config } } }
  inputMapping { pathMapping literalMapping }
  outputConfigs { ...Config }
  project { id name } user { id } dataset { id }`;

export const CONFIG = `fragment Config on BuiltInEvaluatorOutputConfig { __typename
  ... on CategoricalAnnotationConfig { id name optimizationDirection values { label score } }
  ... on ContinuousAnnotationConfig { id name lowerBound } }`;
