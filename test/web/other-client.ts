import { graphql, projectId } from './seed.ts';

/** What somebody else does while a page is open: over GraphQL, by names. */
export function otherClient(url: string) {
  const ask = <Data>(query: string, variables: object = {}) => graphql<Data>(url, query, variables);
  const configId = async (name: string) => {
    const { annotationConfigs } = await ask<Nodes<'annotationConfigs'>>(
      `{ annotationConfigs(first: 100) { edges { node { ... on Node { id } ... on AnnotationConfigBase { name } } } } }`,
    );
    return idOf(annotationConfigs, name);
  };
  const policyId = async (name: string) => {
    const { policies } = await ask<Nodes<'policies'>>(
      `{ policies: projectTraceRetentionPolicies(first: 100) { edges { node { id name } } } }`,
    );
    return idOf(policies, name);
  };
  const traceNode = async (otelId: string) =>
    (await ask<{ trace: { id: string } }>(`{ trace: getTraceByOtelId(traceId: "${otelId}") { id } }`)).trace.id;
  const sessionNode = async (sessionId: string) =>
    (await ask<{ session: { id: string } }>(`{ session: getProjectSessionById(sessionId: "${sessionId}") { id } }`))
      .session.id;
  const deleteTraces = (ids: readonly string[]) =>
    ask(`mutation ($ids: [ID!]!) { deleteTraces(traceIds: $ids) { __typename } }`, { ids });
  const SAID = { label: 'calm', score: 1, annotatorKind: 'LLM', source: 'API', metadata: {} };
  return {
    sessionNode,
    deleteTrace: async (otelId: string) => deleteTraces([await traceNode(otelId)]),
    async deleteNewestTrace(project: string) {
      const { node } = await ask<{ node: { spans: { edges: { node: { trace: { id: string } } }[] } } }>(
        `query ($id: ID!) { node(id: $id) { ... on Project { spans(first: 1, rootSpansOnly: true,
           sort: { col: startTime, dir: desc }) { edges { node { trace { id } } } } } } }`,
        { id: await projectId(url, project) },
      );
      await deleteTraces([node.spans.edges[0]!.node.trace.id]);
    },
    async deleteProject(name: string) {
      const id = await projectId(url, name);
      await ask(`mutation ($id: ID!) { deleteProject(id: $id) { __typename } }`, { id });
    },
    async createConfig(name: string, project?: string) {
      const values = [
        { label: 'good', score: 1 },
        { label: 'bad', score: 0 },
      ];
      const annotationConfig = { categorical: { name, optimizationDirection: 'MAXIMIZE', values } };
      const { made } = await ask<{ made: { annotationConfig: { id: string } } }>(
        `mutation ($input: CreateAnnotationConfigInput!) {
           made: createAnnotationConfig(input: $input) { annotationConfig { ... on Node { id } } } }`,
        { input: { annotationConfig } },
      );
      if (project === undefined) return;
      await ask(
        `mutation ($input: [AddAnnotationConfigToProjectInput!]!) {
           addAnnotationConfigToProject(input: $input) { __typename } }`,
        { input: [{ projectId: await projectId(url, project), annotationConfigId: made.annotationConfig.id }] },
      );
    },
    deleteConfig: async (name: string) =>
      ask(`mutation ($id: ID!) { deleteAnnotationConfigs(input: { ids: [$id] }) { __typename } }`, {
        id: await configId(name),
      }),
    createPolicy: (name: string) =>
      ask(
        `mutation ($input: CreateProjectTraceRetentionPolicyInput!) {
           createProjectTraceRetentionPolicy(input: $input) { __typename } }`,
        { input: { name, cronExpression: '0 3 * * *', rule: { maxDays: { maxDays: 30 } } } },
      ),
    deletePolicy: async (name: string) =>
      ask(`mutation ($id: ID!) { deleteProjectTraceRetentionPolicy(input: { id: $id }) { __typename } }`, {
        id: await policyId(name),
      }),
    createModel: (name: string) =>
      ask(`mutation ($input: CreateModelMutationInput!) { createModel(input: $input) { __typename } }`, {
        input: {
          name,
          namePattern: name,
          costs: [
            { tokenType: 'input', kind: 'PROMPT', costPerMillionTokens: 1 },
            { tokenType: 'output', kind: 'COMPLETION', costPerMillionTokens: 2 },
          ],
        },
      }),
    async deleteModel(name: string) {
      const { models } = await ask<Nodes<'models'>>(
        `{ models: generativeModels(first: 500) { edges { node { id name } } } }`,
      );
      await ask(`mutation ($id: ID!) { deleteModel(input: { id: $id }) { __typename } }`, { id: idOf(models, name) });
    },
    async annotateSpan(otelId: string, name: string) {
      const { span } = await ask<{ span: { id: string } }>(`{ span: getSpanByOtelId(spanId: "${otelId}") { id } }`);
      await ask(
        `mutation ($input: CreateSpanAnnotationInput!) { createSpanAnnotations(input: [$input]) { __typename } }`,
        { input: { ...SAID, name, spanId: span.id } },
      );
    },
    async annotateTrace(otelId: string, name: string) {
      await ask(
        `mutation ($input: CreateTraceAnnotationInput!) { createTraceAnnotations(input: [$input]) { __typename } }`,
        { input: { ...SAID, name, traceId: await traceNode(otelId) } },
      );
    },
    async annotateSession(sessionId: string, name: string) {
      await ask(
        `mutation ($input: CreateProjectSessionAnnotationInput!) {
           createProjectSessionAnnotations(input: $input) { __typename } }`,
        { input: { ...SAID, name, projectSessionId: await sessionNode(sessionId) } },
      );
    },
    async saveView(project: string, name: string) {
      const input = { projectId: await projectId(url, project), tab: 'spans', name, search: '', layout: '{}' };
      await ask(`mutation ($input: SaveViewInput!) { saveView(input: $input) { id } }`, { input });
    },
    /** The only one. */
    async deleteView(project: string) {
      const { node } = await ask<{ node: { savedViews: { id: string }[] } }>(
        `query ($id: ID!) { node(id: $id) { ... on Project { savedViews { id } } } }`,
        { id: await projectId(url, project) },
      );
      await ask(`mutation ($id: ID!) { deleteSavedView(id: $id) { id } }`, { id: node.savedViews[0]!.id });
    },
  };
}

interface Named {
  readonly edges: readonly { readonly node: { readonly id: string; readonly name: string } }[];
}
type Nodes<Key extends string> = Readonly<Record<Key, Named>>;

const idOf = ({ edges }: Named, name: string): string => edges.find(({ node }) => node.name === name)!.node.id;
