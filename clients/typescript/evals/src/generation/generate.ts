import { AnswerError, ArgumentError, describeType } from '../errors.ts';
import type { EvaluateOptions } from '../evaluators/evaluator-base.ts';
import { toMessages } from '../evaluators/generate-classification.ts';
import { type Telemetry, traceCall } from '../evaluators/telemetry.ts';
import type { ChatMessage } from '../models/chat-message.ts';
import { directCaller } from '../models/direct-caller.ts';
import type { AnswerForm, JsonSchema, ModelParameters, ModelUsage } from '../models/model.ts';
import { askForObject, recordedAnswer } from '../models/structured-answer.ts';
import { type ModelInput, toModel } from '../models/to-model.ts';
import { ownValue } from '../own-value.ts';

export interface GenerateOptions extends EvaluateOptions {
  readonly model: ModelInput;
  /** Either this or `messages`. */
  readonly prompt?: string;
  readonly messages?: readonly ChatMessage[];
  /** `temperature`, `maxTokens` and what the vendor has. */
  readonly parameters?: ModelParameters;
  readonly telemetry?: Telemetry;
}

/** What a generation took. */
export interface Generated {
  readonly usage: ModelUsage;
  /** Dollars, when the price is known. */
  readonly cost?: number;
}

/**
 * Lets a model write a text. Limits, server errors and lost connections are repeated.
 *
 * @throws {AnswerError} when the text is empty, {ModelError} when the call fails
 */
export async function generateText(options: GenerateOptions): Promise<Generated & { readonly text: string }> {
  const { prompt, messages, parameters = {}, telemetry, caller = directCaller, signal, repetition } = options;
  const model = toModel(options.model);
  const request = {
    messages: toMessages('generateText', prompt, messages),
    parameters,
    ...(signal && { signal }),
    ...(repetition !== undefined && { repetition }),
  };
  const response = await traceCall(
    telemetry,
    model,
    request.messages,
    () => caller.call(model, request),
    (answer) => answer,
  );
  const { text, usage = {}, cost, finishReason } = response;
  if (text.trim() === '') throw new AnswerError(`The answer is empty${finishReason ? ` (${finishReason})` : ''}.`);
  caller.keep?.(model, request, response);
  return { text, usage, ...(cost !== undefined && { cost }) };
}

const FORMS = { auto: undefined, structured_output: 'schema', tool_calling: 'tool', json: 'words' } as const;

export interface GenerateObjectOptions extends GenerateOptions {
  /** JSON Schema of an object with `properties`. */
  readonly schema: JsonSchema;
  /** Default `extract_structured_data`. */
  readonly schemaName?: string;
  readonly schemaDescription?: string;
  /** How the object is asked for. `auto`, the default, finds and remembers what works. */
  readonly method?: keyof typeof FORMS;
}

/**
 * Lets a model fill an object by a schema. An object that does not fit gets one repair.
 *
 * @throws {ArgumentError} for a schema that cannot be used, {AnswerError} when the repaired object does not fit either
 */
export async function generateObject<Value = Record<string, unknown>>(
  options: GenerateObjectOptions,
): Promise<Generated & { readonly object: Value; readonly isRepaired: boolean }> {
  const { schema, schemaName, schemaDescription, method = 'auto', prompt, messages, telemetry } = options;
  const { parameters = {}, caller = directCaller, signal, repetition } = options;
  checkObjectSchema(schema);
  const findProblem = await compileObjectSchema(schema);
  const model = withForm(toModel(options.model), method);
  const request = {
    name: schemaName ?? 'extract_structured_data',
    ...(schemaDescription !== undefined && { description: schemaDescription }),
    schema,
    messages: toMessages('generateObject', prompt, messages),
    parameters,
    ...(signal && { signal }),
    ...(repetition !== undefined && { repetition }),
    check(value: Readonly<Record<string, unknown>>) {
      const found = findProblem(value);
      if (!found) return undefined;
      return new AnswerError(
        `The answer does not fit the schema: ${found.path && `at ${found.path}, `}${found.problem}.`,
      );
    },
  };
  const { value, usage, cost, isRepaired } = await traceCall(
    telemetry,
    model,
    request.messages,
    () => askForObject(caller, model, request),
    recordedAnswer,
  );
  return { object: value as Value, usage, ...(cost !== undefined && { cost }), isRepaired };
}

function withForm(model: ReturnType<typeof toModel>, method: string) {
  if (!Object.hasOwn(FORMS, method))
    throw new ArgumentError(`method is one of ${Object.keys(FORMS).join(', ')}, and not "${method}".`);
  const form: AnswerForm | undefined = FORMS[method as keyof typeof FORMS];
  if (form === undefined) return model;
  if (!model.answerForms.includes(form))
    throw new ArgumentError(`The model ${model.name} has no ${method}; use auto, or another method.`);
  return { ...model, answerForms: [form], call: model.call.bind(model) };
}

function checkObjectSchema(schema: JsonSchema): void {
  const properties = ownValue(schema, 'properties');
  if (ownValue(schema, 'type') !== 'object' || typeof properties !== 'object' || properties === null)
    throw new ArgumentError(
      `schema is a JSON schema of an object with properties, and not ${describeType(schema)} like ${JSON.stringify(schema)?.slice(0, 100)}.`,
    );
  const required = ownValue(schema, 'required');
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  const missing = names.find((name) => !Object.hasOwn(properties, String(name)));
  if (missing !== undefined)
    throw new ArgumentError(`The schema requires ${String(missing)}, which has no properties.`);
}

/** The validator is a package of its own, which only some programs need. */
async function compileObjectSchema(schema: JsonSchema) {
  const { compileSchema } = await import('../metrics/json-schema/compile-schema.ts').catch((error: Error) => {
    throw new ArgumentError(`generateObject needs the package ajv: npm install ajv (${error.message}).`);
  });
  return compileSchema(schema);
}
