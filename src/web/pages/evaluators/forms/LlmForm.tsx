import { useState } from 'react';
import { credentialsFor } from '../../../components/prompt/model/credentials.ts';
import { firstVariant } from '../../../components/prompt/model/model-default.ts';
import { ProviderName } from '../../../components/prompt/model/ProviderName.tsx';
import { ConfirmDialog } from '../../../components/Dialog.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { lazy } from '../../../components/lazy.tsx';
import { MessageList } from '../../../components/prompt/editors/MessageList.tsx';
import { variablesOf } from '../../../components/prompt/variant/variables.ts';
import { newMessage, type Variant } from '../../../components/prompt/variant/variant.ts';
import { toast } from '../../../components/toasts.tsx';
import { Switch } from '../../../components/values/Card.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { useQuery } from '../../../data/use-query.ts';
import { Link } from '../../../router/Link.tsx';
import { setLeaveGuard } from '../../../router/leave-guard.ts';
import { navigate, useLocation } from '../../../router/location.ts';
import { InputFields } from '../InputFields.tsx';
import { hasSources, type InputDraft, storedSources, toApiMapping, variableFieldsOf } from '../input-draft.ts';
import { EvaluatorFrame, NameFields, Section } from './EvaluatorFrame.tsx';
import { bindingPath, evaluatorsPath, type StoredBinding } from './form-paths.ts';
import { createLlmEvaluator, judgeTemplates, updateLlmEvaluator } from './generated/forms.ts';
import {
  applyPrompt,
  applyTemplate,
  inputOfJudge,
  type JudgeDraft,
  type JudgeTemplate,
  newJudge,
  readJudgePrompt,
} from './judge.ts';
import { OutputsField, toOutputDrafts } from './OutputsField.tsx';
import { TemplateSelect } from './TemplateSelect.tsx';
import { useTest } from './use-test.ts';

const PromptPicker = lazy(
  async () => (await import('../../../components/prompt/picker/PromptPicker.tsx')).PromptPicker,
);
const ModelDialog = lazy(async () => (await import('../../../components/prompt/model/ModelDialog.tsx')).ModelDialog);

type StoredLlm = Extract<StoredBinding['evaluator'], { readonly __typename: 'LLMEvaluator' }>;

interface LlmFormProps {
  readonly datasetId: string;
  /** The evaluator to change. Absent for a new one. */
  readonly stored?: { readonly binding: StoredBinding; readonly evaluator: StoredLlm } | undefined;
}

/** A text with which a new evaluator begins. */
type Beginning =
  | { readonly name: string; readonly template: JudgeTemplate }
  | { readonly name: string; readonly prompt: Variant };

const NOTHING = {};
const FORMATS = [
  ['MUSTACHE', 'Mustache'],
  ['F_STRING', 'F-string'],
] as const;

/** LLM evaluator of a dataset: prompt, model, labels, mapping, and a test. */
export function LlmForm({ datasetId, stored }: LlmFormProps) {
  const { search } = useLocation();
  const { data } = useQuery(judgeTemplates, stored ? undefined : NOTHING);
  const templates = data?.classificationEvaluatorConfigs ?? [];
  const start = search.get('template');
  // The form starts with the template of the address, so that it waits for the templates.
  if (!stored && start !== null && !data) return <div className="page-body" aria-busy="true" />;
  const template = stored ? undefined : templates.find(({ name }) => name === start);
  return <Form datasetId={datasetId} stored={stored} templates={templates} template={template} />;
}

interface FormProps extends LlmFormProps {
  readonly templates: readonly JudgeTemplate[];
  /** The template with which the form starts. */
  readonly template: JudgeTemplate | undefined;
}

function firstDraft({ stored, template }: FormProps): JudgeDraft {
  if (!stored) {
    const draft = newJudge(firstVariant());
    return template ? applyTemplate(draft, template) : draft;
  }
  const { binding, evaluator } = stored;
  const { content, customProvider } = evaluator.promptVersion;
  return {
    description: binding.description ?? '',
    ...readJudgePrompt(content, customProvider?.id ?? null),
    outputs: toOutputDrafts(binding.outputConfigs),
  };
}

function Form(props: FormProps) {
  const { datasetId, stored, templates, template } = props;
  const [name, setName] = useState(stored?.binding.name ?? template?.name ?? '');
  const [draft, setDraft] = useState(() => firstDraft(props));
  const [sources, setSources] = useState<InputDraft>(() =>
    stored ? storedSources(stored.binding.inputMapping) : new Map(),
  );
  const [templateName, setTemplateName] = useState(template?.name ?? '');
  const [beginningName, setBeginningName] = useState(template?.name ?? '');
  const [isTouched, setTouched] = useState(false);
  const [asked, setAsked] = useState<Beginning>();
  const [isPicking, setPicking] = useState(false);
  const [addsVersion, setAddsVersion] = useState(false);
  const [openModel, setOpenModel] = useState<'model' | 'key'>();
  const { variant, outputs, hasExplanation, description } = draft;
  const fields = variableFieldsOf(variablesOf(variant));
  const mapping = toApiMapping(fields, sources);
  const test = useTest(datasetId, mapping);
  const change = useChange();
  const set = (changes: Partial<JudgeDraft>) => {
    setDraft({ ...draft, ...changes });
    setTouched(true);
  };
  const setVariant = (changes: Partial<Variant>) => set({ variant: { ...variant, ...changes } });
  const start = (chosen: Beginning) => {
    const next = 'prompt' in chosen ? applyPrompt(draft, chosen.prompt) : applyTemplate(draft, chosen.template);
    setDraft(next);
    const isNameFree = name === '' || name === beginningName || templates.some((each) => each.name === name);
    if (isNameFree) setName(chosen.name);
    setTemplateName('template' in chosen ? chosen.name : '');
    setBeginningName(chosen.name);
    setAddsVersion(false);
    setTouched(false);
    setAsked(undefined);
  };
  const begin = (chosen: Beginning) => (isTouched ? setAsked(chosen) : start(chosen));
  const source = stored ? null : variant.source;
  const input = inputOfJudge(draft);
  const problem = typeof input === 'string' ? input : undefined;
  const submit = () => {
    if (typeof input === 'string') return;
    const saved = { ...input, name: name.trim(), description: description.trim() || null, inputMapping: mapping };
    let id = stored?.binding.id;
    void change.run(
      async () => {
        if (stored) {
          const promptVersionId = stored.evaluator.promptVersion.id;
          const ids = { datasetEvaluatorId: stored.binding.id, datasetId, promptVersionId };
          await send(updateLlmEvaluator, { input: { ...saved, ...ids } });
        } else {
          const version = source && addsVersion ? { promptVersionId: source.versionId } : {};
          const created = await send(createLlmEvaluator, { input: { ...saved, ...version, datasetId } });
          id = created.createDatasetLlmEvaluator.evaluator.id;
        }
      },
      () => {
        toast(`${name.trim()} saved.`);
        setLeaveGuard(undefined);
        navigate(bindingPath(datasetId, id!));
      },
    );
  };
  const onTest =
    typeof input === 'string'
      ? undefined
      : () => {
          const evaluator = { inlineLlmEvaluator: { ...input, name: name.trim() || 'test' } };
          const { provider, customProviderId } = variant.model;
          test.run(evaluator, customProviderId === null ? credentialsFor(provider) : []);
        };
  return (
    <EvaluatorFrame
      test={test}
      onTest={onTest}
      onAddKey={() => setOpenModel('key')}
      change={change}
      action={stored ? 'Save evaluator' : 'Add evaluator'}
      isReady={name.trim() !== '' && problem === undefined && hasSources(fields, sources)}
      onSubmit={submit}
      backTo={stored ? bindingPath(datasetId, stored.binding.id) : evaluatorsPath(datasetId)}
    >
      {!stored && (
        <div className="evaluator-start">
          <TemplateSelect
            templates={templates}
            value={templateName}
            onChoose={(chosen) => begin({ name: chosen.name, template: chosen })}
          />
          <button type="button" className="button" onClick={() => setPicking(true)}>
            <Icon name="prompt" size={14} /> Stored prompt…
          </button>
        </div>
      )}
      <NameFields
        name={name}
        description={description}
        onName={setName}
        onDescription={(text) => set({ description: text })}
      />
      <Section
        title="Prompt"
        actions={
          <>
            <Switch
              label="Template language"
              values={FORMATS}
              value={variant.format === 'F_STRING' ? 'F_STRING' : 'MUSTACHE'}
              onChange={(format) => setVariant({ format })}
            />
            <button type="button" className="button small" onClick={() => setOpenModel('model')}>
              <Icon name="settings" size={12} />
              <span className="visually-hidden">Model:</span> <ProviderName {...variant.model} /> {variant.model.name}
            </button>
          </>
        }
      >
        <MessageList
          messages={variant.messages}
          format={variant.format}
          onChange={(messages) => setVariant({ messages })}
        />
        <div className="row">
          <button
            type="button"
            className="button bare small"
            onClick={() => setVariant({ messages: [...variant.messages, newMessage('user')] })}
          >
            <Icon name="plus" size={12} /> Message
          </button>
          <span className="grow" />
          {stored && (
            <span className="muted">
              Saving adds a version to{' '}
              <Link to={`/prompts/${encodeURIComponent(stored.evaluator.prompt.id)}`}>
                {stored.evaluator.prompt.name}
              </Link>
              .
            </span>
          )}
        </div>
      </Section>
      {source && (
        <label className="row evaluator-source">
          <input type="checkbox" checked={addsVersion} onChange={({ target }) => setAddsVersion(target.checked)} />
          <span>
            Use the prompt <Link to={`/prompts/${encodeURIComponent(source.promptId)}`}>{source.promptName}</Link>{' '}
            itself. Saving adds a version to it. Otherwise the evaluator gets a copy.
          </span>
        </label>
      )}
      <Section title="Outputs">
        <OutputsField
          outputs={outputs}
          kinds={['categorical']}
          countMin={1}
          sharesDescription
          onChange={(next) => set({ outputs: next })}
        />
        <label className="row">
          <input
            type="checkbox"
            checked={hasExplanation}
            onChange={({ target }) => set({ hasExplanation: target.checked })}
          />
          Ask the model for an explanation
        </label>
        {problem !== undefined && <p className="error-text">{problem}</p>}
      </Section>
      {fields.length === 0 ? (
        <p className="error-text">The prompt has no variables, so every example gets the same result.</p>
      ) : (
        <InputFields fields={fields} draft={sources} paths={test.paths} onChange={setSources} />
      )}
      {openModel && (
        <ModelDialog
          title="Model of the evaluator"
          hasAddress={false}
          startsAtKey={openModel === 'key'}
          variant={variant}
          onChange={(next) => set({ variant: next })}
          onClose={() => setOpenModel(undefined)}
        />
      )}
      {isPicking && (
        <PromptPicker
          title="Start from a stored prompt"
          onPick={(prompt) => begin({ name: prompt.source?.promptName ?? '', prompt })}
          onClose={() => setPicking(false)}
        />
      )}
      {asked && (
        <ConfirmDialog
          title={`Start from ${asked.name}?`}
          isOpen
          onClose={() => setAsked(undefined)}
          consequence="It replaces the prompt and the outputs that you have written."
          action="Replace"
          isBusy={false}
          problem={undefined}
          onConfirm={() => start(asked)}
        />
      )}
    </EvaluatorFrame>
  );
}
