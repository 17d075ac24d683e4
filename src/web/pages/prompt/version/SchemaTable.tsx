import type { JsonObject } from '../../../../semconv/read-open-inference.ts';
import { JsonView } from '../../../components/values/JsonView.tsx';
import { toSchemaRows } from './schema-rows.ts';

/** Properties of a JSON schema. A schema without properties is shown as JSON. */
export function SchemaTable({ schema }: { readonly schema: JsonObject }) {
  const rows = toSchemaRows(schema);
  if (!rows) return <JsonView value={schema} />;
  return (
    <table className="schema-table">
      <thead>
        <tr>
          <th scope="col">Property</th>
          <th scope="col">Type</th>
          <th scope="col">Description</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ path, type, isRequired, description, values }) => (
          <tr key={path}>
            <th scope="row" dir="auto">
              {path}
              {isRequired && <span className="muted"> required</span>}
            </th>
            <td>{type}</td>
            <td dir="auto">
              {description}
              {values.length > 0 && <span className="muted"> One of {values.join(', ')}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
