import { messagesOf, parametersOf, toVersionContent } from '../../../../components/prompt/version-content.ts';
import { formatCount } from '../../../../format/numbers.ts';
import { Link } from '../../../../router/Link.tsx';
import { ParametersView } from '../../../prompt/version/ParametersView.tsx';
import { TemplateView } from '../../../prompt/version/TemplateView.tsx';
import { ResponseFormatView, ToolsView } from '../../../prompt/version/ToolsView.tsx';
import type { ExperimentDetails } from '../experiment-row.ts';
import '../../../prompt/prompt.css';

/** What the server runs for each example, as it was when the job began. A client keeps its task in its code. */
export function ExperimentTask({ experiment: { taskJob: job } }: { readonly experiment: ExperimentDetails }) {
  if (job && !job.taskConfig) return null;
  return (
    <section className="card experiment-section experiment-task" aria-label="Task">
      <h3>Task</h3>
      {job?.taskConfig ? (
        <PromptTask task={job.taskConfig} concurrency={job.maxConcurrency} />
      ) : (
        <p className="muted">
          A client ran this experiment, so its task and evaluators are in your code. Record the model, prompt and
          parameters as metadata of the experiment to see and group by them here.
        </p>
      )}
    </section>
  );
}

interface PromptTaskProps {
  readonly task: NonNullable<NonNullable<ExperimentDetails['taskJob']>['taskConfig']>;
  /** Calls at a time. */
  readonly concurrency: number;
}

function PromptTask({ task, concurrency }: PromptTaskProps) {
  const { prompt, customProvider, streamModelOutput } = task;
  const content = toVersionContent(prompt.content);
  return (
    <>
      <p className="muted">
        {prompt.prompt && prompt.promptVersion && (
          <>
            From{' '}
            <Link
              to={`/prompts/${encodeURIComponent(prompt.prompt.id)}/versions/${encodeURIComponent(prompt.promptVersion.id)}`}
            >
              {prompt.prompt.name}, version {prompt.promptVersion.sequenceNumber}
            </Link>
            .{' '}
          </>
        )}
        At most {formatCount(concurrency)} {concurrency === 1 ? 'call' : 'calls'} at a time
        {streamModelOutput ? ', streamed' : ''}.
      </p>
      <TemplateView messages={messagesOf(content)} tags={[]} />
      <ParametersView
        modelName={content.model_name}
        provider={content.model_provider}
        customProvider={customProvider?.name}
        parameters={parametersOf(content)}
      />
      {content.tools && <ToolsView tools={content.tools} />}
      {content.response_format && <ResponseFormatView format={content.response_format.json_schema} />}
    </>
  );
}
