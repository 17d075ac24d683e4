import { PROJECT_NAME_BYTES_MAX } from '../../../src/model/limits/datasets.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import type { GraphqlCall, Made, NounTwins, RestCall, World, WriteTwin } from './twins.ts';

const UNKNOWN = toGlobalId('Project', 999);
const DEFAULT = toGlobalId('Project', 1);
const TEXTS = 'REST stores texts as sent; GraphQL trims them and clears a blank description (ProjectTexts).';

async function setUp(world: World): Promise<Made> {
  const { data } = await world.rest(create({ name: 'mine', description: 'old' }));
  return { project: data.id };
}

const create = (body: object): RestCall => ({ method: 'POST', path: '/v1/projects', body });
const createMutation = (input: object): GraphqlCall => ({
  query: 'mutation ($input: CreateProjectInput!) { createProject(input: $input) { project { id } } }',
  variables: { input },
});
const update = (project: string, body: object): RestCall => ({ method: 'PUT', path: `/v1/projects/${project}`, body });
const patchMutation = (id: string, input: object): GraphqlCall => ({
  query: 'mutation ($input: PatchProjectInput!) { patchProject(input: $input) { project { id } } }',
  variables: { input: { id, ...input } },
});
const remove = (project: string): RestCall => ({ method: 'DELETE', path: `/v1/projects/${project}` });
const deleteMutation = (id: string): GraphqlCall => ({
  query: 'mutation ($id: ID!) { deleteProject(id: $id) { __typename } }',
  variables: { id },
});

const createProject: WriteTwin = {
  operation: 'createProject',
  mutation: 'createProject',
  cases: [
    {
      title: 'stores name and description',
      rest: () => create({ name: 'new', description: 'text' }),
      graphql: () => createMutation({ name: 'new', description: 'text' }),
      stores: {
        projects: [
          { id: 1, name: 'default' },
          { id: 2, name: 'new' },
        ],
      },
    },
    {
      title: 'takes a name without a description',
      rest: () => create({ name: 'new' }),
      graphql: () => createMutation({ name: 'new' }),
    },
    {
      title: 'keeps blanks around a name over REST alone',
      rest: () => create({ name: ' new ' }),
      graphql: () => createMutation({ name: ' new ' }),
      differs: { why: TEXTS },
    },
    {
      title: 'rejects the name of another project',
      setUp,
      rest: () => create({ name: 'mine' }),
      graphql: () => createMutation({ name: 'mine' }),
      code: 'PROJECT_NAME_TAKEN',
    },
    ...['', 'a\0b', 'x'.repeat(PROJECT_NAME_BYTES_MAX + 1)].map((name) => ({
      title: `rejects the name ${JSON.stringify(name.slice(0, 5))}, ${name.length} characters`,
      rest: () => create({ name }),
      graphql: () => createMutation({ name }),
      code: 'QUERY_INVALID' as const,
    })),
  ],
};

const updateProject: WriteTwin = {
  operation: 'updateProject',
  mutation: 'patchProject',
  cases: [
    {
      title: 'changes the description',
      setUp,
      rest: ({ project }) => update(project!, { description: 'new' }),
      graphql: ({ project }) => patchMutation(project!, { description: 'new' }),
    },
    {
      title: 'changes nothing when nothing is given',
      setUp,
      rest: ({ project }) => update(project!, {}),
      graphql: ({ project }) => patchMutation(project!, {}),
    },
    {
      title: 'clears a description that is null over GraphQL alone',
      setUp,
      rest: ({ project }) => update(project!, { description: null }),
      graphql: ({ project }) => patchMutation(project!, { description: null }),
      differs: { why: 'Null is absent in the contract of REST.' },
    },
    {
      title: 'rejects an unknown project',
      rest: () => update(UNKNOWN, { description: 'new' }),
      graphql: () => patchMutation(UNKNOWN, { description: 'new' }),
      code: 'PROJECT_NOT_FOUND',
    },
  ],
};

const deleteProject: WriteTwin = {
  operation: 'deleteProject',
  mutation: 'deleteProject',
  cases: [
    {
      title: 'deletes a project',
      setUp,
      rest: ({ project }) => remove(project!),
      graphql: ({ project }) => deleteMutation(project!),
      stores: { projects: [{ id: 1, name: 'default' }] },
    },
    {
      title: 'keeps the default project',
      rest: () => remove(DEFAULT),
      graphql: () => deleteMutation(DEFAULT),
      code: 'PROJECT_PROTECTED',
    },
    {
      title: 'rejects an unknown project',
      rest: () => remove(UNKNOWN),
      graphql: () => deleteMutation(UNKNOWN),
      code: 'PROJECT_NOT_FOUND',
    },
  ],
};

export const PROJECTS: NounTwins = {
  twins: [createProject, updateProject, deleteProject],
  alone: {
    clearProject: 'REST has no route that clears a project.',
    setProjectPrivacy: 'Private projects need sign-in: test/api/project-access.',
    setProjectMember: 'Private projects need sign-in: test/api/project-access.',
    removeProjectMember: 'Private projects need sign-in: test/api/project-access.',
  },
};
