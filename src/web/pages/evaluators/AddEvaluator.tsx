import { useAccess } from '../../access/use-access.ts';
import { Icon } from '../../components/Icon.tsx';
import { Menu, MenuItem, MenuLine } from '../../components/Menu.tsx';
import { useQuery } from '../../data/use-query.ts';
import { navigate } from '../../router/location.ts';
import { type FormKind, newEvaluatorPath } from './forms/form-paths.ts';
import { createLlmEvaluator } from './forms/generated/forms.ts';
import { authoredCode } from './generated/evaluators.ts';

const KINDS: readonly (readonly [FormKind, string])[] = [
  ['llm', 'LLM evaluator'],
  ['code', 'Code evaluator'],
  ['built-in', 'Built-in evaluator'],
];

const NOTHING = {};

/** Menu of the kinds of evaluators, and of code that another dataset has, which can be added to a dataset. */
export function AddEvaluator({ datasetId }: { readonly datasetId: string }) {
  const { may } = useAccess();
  const isAllowed = may(createLlmEvaluator);
  const { data } = useQuery(authoredCode, isAllowed ? NOTHING : undefined);
  if (!isAllowed) return null;
  const code = (data?.evaluators.edges ?? []).flatMap(({ node }) =>
    node.__typename === 'CodeEvaluator' && !node.datasetEvaluators.some(({ dataset }) => dataset.id === datasetId)
      ? [node]
      : [],
  );
  return (
    <Menu
      button={
        <button type="button" className="button primary">
          <Icon name="plus" size={14} /> Add evaluator
        </button>
      }
    >
      {KINDS.map(([kind, label]) => (
        <MenuItem key={kind} onSelect={() => navigate(newEvaluatorPath(datasetId, kind))}>
          {label}
        </MenuItem>
      ))}
      {code.length > 0 && (
        <>
          <MenuLine />
          <p className="menu-title">Code of other datasets</p>
          {code.map(({ id, name }) => (
            <MenuItem
              key={id}
              onSelect={() =>
                navigate(`${newEvaluatorPath(datasetId, 'code')}?${new URLSearchParams({ evaluator: id })}`)
              }
            >
              {name}
            </MenuItem>
          ))}
        </>
      )}
    </Menu>
  );
}
