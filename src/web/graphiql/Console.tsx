import { GraphiQL, type GraphiQLProps } from 'graphiql';
import { fetchWithSession } from '../data/session.ts';
import { usePreferences } from '../preferences/preferences.ts';
import { appUrl } from '../router/app-url.ts';

const DEFAULT_QUERY = `# Write a query here. Ctrl+Space suggests fields, and Ctrl+Enter runs the query.

query Projects {
  projects(first: 10) {
    edges {
      node {
        id
        name
        traceCount
      }
    }
  }
}
`;

const send: GraphiQLProps['fetcher'] = async (parameters, { headers } = {}) => {
  const response = await fetchWithSession(appUrl('graphql'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(parameters),
  });
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`The server responded with status ${response.status}: ${text.slice(0, 1_000)}`);
  }
};

/** Query and variables of a link such as `/graphql#query=…&variables=…`. */
const linked = new URLSearchParams(window.location.hash.slice(1));

/** GraphiQL for this server, in the theme of the interface. */
export function Console() {
  const { theme } = usePreferences();
  return (
    <GraphiQL
      fetcher={send}
      forcedTheme={theme}
      defaultQuery={DEFAULT_QUERY}
      query={linked.get('query') ?? undefined}
      variables={linked.get('variables') ?? undefined}
      shouldPersistHeaders={false}
    >
      <GraphiQL.Logo>
        <a href="./">← Spandrel</a>
      </GraphiQL.Logo>
    </GraphiQL>
  );
}
