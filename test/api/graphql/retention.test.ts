import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { shareTestServer } from '../test-server.ts';

const openServer = shareTestServer();

const POLICY = `id name cronExpression rule { __typename
  ... on TraceRetentionRuleMaxDays {maxDays}
  ... on TraceRetentionRuleMaxCount {maxCount}
  ... on TraceRetentionRuleMaxDaysOrCount {maxDays maxCount} }
  projects { edges { node { name } } }`;
const CREATE = `mutation($input: CreateProjectTraceRetentionPolicyInput!) {
  createProjectTraceRetentionPolicy(input: $input) { node { ${POLICY} } query { projectCount } } }`;
const PATCH = `mutation($input: PatchProjectTraceRetentionPolicyInput!) {
  patchProjectTraceRetentionPolicy(input: $input) { node { ${POLICY} } } }`;
const DELETE = `mutation($input: DeleteProjectTraceRetentionPolicyInput!) {
  deleteProjectTraceRetentionPolicy(input: $input) { node { name } query { defaultProjectTraceRetentionPolicy {
    projects { edges { node { name } } } } } } }`;

const names = (connection: { edges: { node: { name: string } }[] }) => connection.edges.map(({ node }) => node.name);
const idOf = (rowId: number) => toGlobalId('ProjectTraceRetentionPolicy', rowId);
const projectId = (rowId: number) => toGlobalId('Project', rowId);

describe('retention policies by GraphQL', () => {
  test('there is a default one, for every project without its own', async () => {
    const { ask } = await openServer();

    const data = await ask(`{ defaultProjectTraceRetentionPolicy { ${POLICY} }
      projectTraceRetentionPolicies { edges { node { id } } }
      projects { edges { node { traceRetentionPolicy { name } } } }
      node(id: "${idOf(0)}") { __typename ... on ProjectTraceRetentionPolicy { name } } }`);

    assert.deepEqual(data, {
      defaultProjectTraceRetentionPolicy: {
        id: idOf(0),
        name: 'Default',
        cronExpression: '0 0 * * 0',
        rule: { __typename: 'TraceRetentionRuleMaxDays', maxDays: 0 },
        projects: { edges: [{ node: { name: 'default' } }] },
      },
      projectTraceRetentionPolicies: { edges: [{ node: { id: idOf(0) } }] },
      projects: { edges: [{ node: { traceRetentionPolicy: { name: 'Default' } } }] },
      node: { __typename: 'ProjectTraceRetentionPolicy', name: 'Default' },
    });
  });

  test('are made, changed and deleted, and projects change theirs with them', async () => {
    const { ask, domain } = await openServer();
    const { rowId } = await domain.projects.create({ name: 'mine', description: null }, 'asSent');

    const created = await ask(CREATE, {
      input: {
        name: ' weekly ',
        cronExpression: '0 3 * * 1',
        rule: { maxDaysOrCount: { maxDays: 1.5, maxCount: 7 } },
        addProjects: [projectId(rowId)],
      },
    });
    const { node } = created.createProjectTraceRetentionPolicy;
    assert.deepEqual(node.rule, { __typename: 'TraceRetentionRuleMaxDaysOrCount', maxDays: 1.5, maxCount: 7 });
    assert.deepEqual([node.name, node.cronExpression, names(node.projects)], ['weekly', '0 3 * * 1', ['mine']]);

    const input = { id: node.id, rule: { maxCount: { maxCount: 3 } }, removeProjects: [projectId(rowId)] };
    const patched = (await ask(PATCH, { input })).patchProjectTraceRetentionPolicy.node;
    assert.deepEqual(patched.rule, { __typename: 'TraceRetentionRuleMaxCount', maxCount: 3 });
    assert.deepEqual([patched.name, names(patched.projects)], ['weekly', []]);

    const added = { input: { id: node.id, addProjects: [projectId(1)] } };
    assert.deepEqual(names((await ask(PATCH, added)).patchProjectTraceRetentionPolicy.node.projects), ['default']);
    const deleted = (await ask(DELETE, { input: { id: node.id } })).deleteProjectTraceRetentionPolicy;
    assert.equal(deleted.node.name, 'weekly');
    assert.deepEqual(names(deleted.query.defaultProjectTraceRetentionPolicy.projects), ['default', 'mine']);
  });

  const good = { name: 'a', cronExpression: '0 0 * * 0', rule: { maxDays: { maxDays: 1 } } };
  const REFUSALS: { query: string; input: object; message: RegExp }[] = [
    { query: CREATE, input: { ...good, name: '  ' }, message: /^Name cannot be empty$/ },
    { query: CREATE, input: { ...good, cronExpression: ' ' }, message: /^Cron expression cannot be empty$/ },
    { query: CREATE, input: { ...good, cronExpression: '5 0 * * 0' }, message: /^Invalid cron expression/ },
    { query: CREATE, input: { ...good, rule: {} }, message: /^Exactly one rule must be provided$/ },
    {
      query: CREATE,
      input: { ...good, rule: { maxDays: { maxDays: 1 }, maxCount: { maxCount: 1 } } },
      message: /^Exactly one rule must be provided$/,
    },
    { query: CREATE, input: { ...good, rule: { maxDays: { maxDays: -1 } } }, message: /^Days must be/ },
    { query: CREATE, input: { ...good, rule: { maxCount: { maxCount: -1 } } }, message: /^Count must not be/ },
    { query: CREATE, input: { ...good, addProjects: [projectId(99)] }, message: /not found$/ },
    { query: PATCH, input: { id: idOf(0), name: 'x' }, message: /^Cannot rename the default project/ },
    { query: PATCH, input: { id: idOf(9), name: 'x' }, message: /not found$/ },
    {
      query: PATCH,
      input: { id: idOf(0), addProjects: [projectId(1)], removeProjects: [projectId(1)] },
      message: /^A project cannot be both/,
    },
    {
      query: DELETE,
      input: { id: idOf(0) },
      message: /^Cannot delete the default project trace retention policy\.$/,
    },
    { query: DELETE, input: { id: projectId(1) }, message: /must correspond to a node of type/ },
  ];
  for (const { query, input, message } of REFUSALS) {
    test(`rejects ${query.slice(query.indexOf('{') + 4, query.indexOf('(input:')).trim()} of ${JSON.stringify(input)}`, async () => {
      const { post, ask } = await openServer();

      const { errors } = await post(query, { input });

      assert.match(errors?.[0] ?? '', message);
      assert.equal(
        (await ask('{projectTraceRetentionPolicies {edges {node {name}}}}')).projectTraceRetentionPolicies.edges.length,
        1,
      );
    });
  }
});
