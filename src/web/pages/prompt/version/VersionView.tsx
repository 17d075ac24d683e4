import { messagesOf, parametersOf, toVersionContent } from '../../../components/prompt/version-content.ts';
import { Card } from '../../../components/values/Card.tsx';
import { JsonView } from '../../../components/values/JsonView.tsx';
import type { Version } from '../prompt-head.ts';
import { ParametersView } from './ParametersView.tsx';
import { TemplateView } from './TemplateView.tsx';
import { ResponseFormatView, ToolsView } from './ToolsView.tsx';

const FORMATS = { MUSTACHE: 'Mustache', F_STRING: 'f-string', NONE: 'no variables' } as const;

/** What a version sends to a model: messages, model, parameters, tools and response format. */
export function VersionView({ version }: { readonly version: Version }) {
  const content = toVersionContent(version.content);
  const { tags, variables, problem } = version.templateDescription;
  const metadata = version.metadata as object;
  return (
    <div className="prompt-version">
      <p className="muted prompt-variables">
        <span>Template: {FORMATS[content.template_format]}</span>
        {variables.length > 0 && <span>Variables:</span>}
        {variables.slice(0, VARIABLE_COUNT).map((name) => (
          <bdi key={name} className="template-tag" data-kind="variable">
            {name}
          </bdi>
        ))}
        {variables.length > VARIABLE_COUNT && <span>and {variables.length - VARIABLE_COUNT} more</span>}
      </p>
      {problem !== null && (
        <p className="prompt-problem" role="alert">
          This template cannot be rendered: {problem}
        </p>
      )}
      <TemplateView messages={messagesOf(content)} tags={tags} />
      <ParametersView
        modelName={content.model_name}
        provider={content.model_provider}
        customProvider={version.customProvider?.name}
        parameters={parametersOf(content)}
      />
      {content.tools && <ToolsView tools={content.tools} />}
      {content.response_format && <ResponseFormatView format={content.response_format.json_schema} />}
      {Object.keys(metadata).length > 0 && (
        <Card title="Metadata of the version" copies={() => JSON.stringify(metadata, null, 2)}>
          <JsonView value={metadata} />
        </Card>
      )}
    </div>
  );
}

const VARIABLE_COUNT = 40;
