import { memo } from 'react';
import type { Json } from '../../../../semconv/read-open-inference.ts';
import { Icon } from '../../../components/Icon.tsx';
import { LabelChips } from '../../../components/labels/LabelChips.tsx';
import { TemplateField } from '../../../components/prompt/editors/TemplateField.tsx';
import type { TemplateVariable } from '../../../components/prompt/variant/variables.ts';
import { Link } from '../../../router/Link.tsx';
import type { Case } from '../state/cases.ts';

interface CaseCellProps {
  readonly each: Case;
  readonly index: number;
  readonly variables: readonly TemplateVariable[];
  readonly onText: (id: string, name: string, text: string) => void;
  /** Undefined for the only typed case. */
  readonly onRemove: ((id: string, index: number) => void) | undefined;
}

/** Characters of a value that fit into a cell. */
const CHARS_MAX = 700;

/** The inputs of a row: fields for typed ones, values of an example or of a span. */
export const CaseCell = memo(({ each, index, variables, onText, onRemove }: CaseCellProps) => {
  if (each.type === 'typed') {
    return (
      <div className="case-fields">
        <div className="row case-title">
          <span className="muted grow">Case {index + 1}</span>
          {onRemove && (
            <button
              type="button"
              className="button bare small icon-only"
              aria-label={`Delete case ${index + 1}`}
              onClick={() => onRemove(each.id, index)}
            >
              <Icon name="close" size={12} />
            </button>
          )}
        </div>
        {variables.length === 0 && (
          <p className="muted">The templates have no variables. Type one, for example {'{{question}}'}.</p>
        )}
        {variables.map(({ name, isSection, isRequired }) => (
          <div key={name} className="case-field">
            <span className="mono clip" dir="auto" title={name}>
              {name}
              {isSection && <span className="muted"> JSON</span>}
              {!isRequired && <span className="muted"> optional</span>}
            </span>
            <TemplateField
              label={`${name}, case ${index + 1}`}
              value={Object.hasOwn(each.texts, name) ? each.texts[name]! : ''}
              format="NONE"
              placeholder={isSection ? '[{"…": "…"}]' : 'Value'}
              onChange={(text) => onText(each.id, name, text)}
            />
          </div>
        ))}
      </div>
    );
  }
  if (each.type === 'span') {
    return (
      <div className="case-values">
        <div className="row case-title">
          <Link className="clip" to={`/projects/${each.projectId}/spans/${each.traceId}`} dir="auto">
            {each.name}
          </Link>
        </div>
        <Values value={each.values} />
      </div>
    );
  }
  return (
    <div className="case-values">
      <div className="row case-title">
        <span className="muted clip">{each.externalId ?? `Example ${index + 1}`}</span>
        <LabelChips labels={each.splits} />
      </div>
      <Values value={each.input} />
      <details className="case-reference">
        <summary>Reference</summary>
        <Values value={each.reference} />
      </details>
    </div>
  );
});

/** Values by name, as text. */
function Values({ value }: { readonly value: Json }) {
  const entries: readonly (readonly [string, Json])[] =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [['', value]];
  if (entries.length === 0) return <span className="muted">No values</span>;
  return (
    <dl className="case-list">
      {entries.slice(0, 12).map(([name, item]) => (
        <div key={name}>
          {name !== '' && (
            <dt className="mono muted" dir="auto">
              {name}
            </dt>
          )}
          <dd dir="auto">{(typeof item === 'string' ? item : JSON.stringify(item)).slice(0, CHARS_MAX)}</dd>
        </div>
      ))}
    </dl>
  );
}
