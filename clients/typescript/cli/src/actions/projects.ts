import { HttpError } from '@spandrel/client';
import { type Action, CommandError } from '../command-line/command.ts';
import { EXIT } from '../exit-codes.ts';
import { toFacts } from '../output/table.ts';
import { findProjectId } from './find.ts';
import { dataOf, readPages } from './pages.ts';

export const listProjects: Action = async ({ client, text, number, out, signal }) => {
  const server = await client();
  const query = { include_experiment_projects: false, name_contains: text('name-contains'), limit: 100 };
  const projects = readPages(
    (cursor) => server.GET('/v1/projects', { params: { query: { ...query, cursor } }, signal }),
    number('limit'),
  );
  await out.list(
    projects,
    [
      { title: 'NAME', text: ({ name }) => name },
      { title: 'ID', text: ({ id }) => id },
      { title: 'DESCRIPTION', text: ({ description }) => description },
    ],
    'No projects. The first trace that arrives creates one.',
  );
};

export const getProject: Action = async ({ client, argument, out, signal }) => {
  const server = await client();
  const name = argument(0);
  try {
    const path = { project_identifier: await findProjectId(server, name, signal) };
    const answer = await server.GET('/v1/projects/{project_identifier}', { params: { path }, signal });
    const project = dataOf(answer);
    await out.item(project, () =>
      toFacts([
        ['Name', project.name],
        ['ID', project.id],
        ['Description', project.description],
      ]),
    );
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 404) throw error;
    throw new CommandError(`There is no project "${name}". spandrel project list shows the names.`, EXIT.failure);
  }
};

export const createProject: Action = async ({ client, argument, text, out, signal }) => {
  const description = text('description');
  const body = { name: argument(0), ...(description !== undefined && { description }) };
  const { data } = await (await client()).POST('/v1/projects', { body, signal });
  await out.item(data?.data, () => `Created project ${data?.data.name} (${data?.data.id}).`);
};
