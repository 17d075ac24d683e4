import type { IconName } from '../components/Icon.tsx';
import { useQuery } from '../data/use-query.ts';
import { type PaletteNodeData, type PaletteResourcesData, paletteNode, paletteResources } from './generated/shell.ts';

/** An object with a page, as the palette offers it. */
export interface Resource {
  readonly path: string;
  readonly icon: IconName;
  readonly label: string;
  readonly hint: string;
}

type Found = PaletteResourcesData['searchResources'][number] | PaletteNodeData['node'];

/** Datasets, experiments, prompts and evaluators whose name, description or label contains the text, or with this ID. */
export function useResources(text: string): readonly Resource[] {
  const { data, isStale } = useQuery(paletteResources, text === '' ? undefined : { query: text });
  const named = useQuery(paletteNode, isGlobalId(text) ? { id: text } : undefined, { keeps: false });
  if (text === '' || isStale) return [];
  const found = [
    ...(isGlobalId(text) && named.data && !named.isStale && !named.failure ? [named.data.node] : []),
    ...(data?.searchResources ?? []),
  ];
  const evaluators = (data?.evaluators.edges ?? []).flatMap(({ node }): Resource[] =>
    'name' in node
      ? [
          {
            path: `/evaluators?search=${encodeURIComponent(String(node.name))}`,
            icon: 'evaluator',
            label: String(node.name),
            hint: 'evaluator',
          },
        ]
      : [],
  );
  return [...found.flatMap((one) => toResource(one) ?? []), ...evaluators];
}

function toResource(one: Found): Resource | undefined {
  switch (one.__typename) {
    case 'Dataset':
      return { path: `/datasets/${encodeURIComponent(one.id)}`, icon: 'dataset', label: one.name, hint: 'dataset' };
    case 'Prompt':
      return {
        path: `/prompts/${encodeURIComponent(one.id)}`,
        icon: 'prompt',
        label: String(one.promptName),
        hint: 'prompt',
      };
    case 'Experiment':
      return {
        path: `/datasets/${encodeURIComponent(one.dataset.id)}/compare?experiment=${encodeURIComponent(one.id)}`,
        icon: 'dataset',
        label: one.name,
        hint: `experiment of ${one.dataset.name}`,
      };
    default:
      return undefined;
  }
}

/** Whether a text is a global ID of a type with a page. */
function isGlobalId(text: string): boolean {
  if (!/^[A-Za-z0-9+/]{8,}={0,2}$/.test(text)) return false;
  try {
    return /^(Dataset|Experiment|Prompt):\d+$/.test(atob(text));
  } catch {
    return false;
  }
}
