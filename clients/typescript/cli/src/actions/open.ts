import { type Action, UsageError } from '../command-line/command.ts';
import { openBrowser } from './browser.ts';
import { findDatasetId, findProjectId } from './find.ts';

/** Opens a page of the web interface, or prints its address where no browser can be started. */
export const openPage: Action = async (invocation) => {
  const { client, argument, isSet, out, signal } = invocation;
  const server = await client();
  const noun = argument(0);
  const id = argument(1);
  const encoded = encodeURIComponent(id);
  let path = '/';
  if (noun && !id) throw new UsageError(`<id> is missing: name or ID of the ${noun}.`);
  if (noun === 'project') path = `/projects/${encodeURIComponent(await findGlobalId(id))}`;
  else if (noun === 'trace' || noun === 'span' || noun === 'session') path = `/redirects/${noun}s/${encoded}`;
  else if (noun === 'dataset') path = `/datasets/${encodeURIComponent(await findDatasetId(server, id, signal))}`;
  else if (noun === 'experiment') path = await experimentPath();
  else if (noun === 'prompt') path = `/prompts/${encoded}`;
  const url = `${server.config.baseUrl}${path}`;
  const isOpened = !isSet('print') && out.isPretty && (await openBrowser(url));
  await out.item({ url, isOpened }, () => url);

  async function findGlobalId(name: string): Promise<string> {
    const params = { path: { project_identifier: await findProjectId(server, name, signal) } };
    const { data } = await server.GET('/v1/projects/{project_identifier}', { params, signal });
    return data?.data.id ?? name;
  }

  async function experimentPath(): Promise<string> {
    const { data } = await server.GET('/v1/experiments/{experiment_id}', {
      params: { path: { experiment_id: id } },
      signal,
    });
    return `/datasets/${encodeURIComponent(data?.data.dataset_id ?? '')}/compare?experimentId=${encoded}`;
  }
};
