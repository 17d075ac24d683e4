import { credentialsFor } from '../../../components/prompt/model/credentials.ts';
import { fromVersion } from '../../../components/prompt/variant/from-version.ts';
import { variablesOf } from '../../../components/prompt/variant/variables.ts';
import { isProvider } from '../../../components/prompt/variant/variant.ts';
import { toVersionContent } from '../../../components/prompt/version-content.ts';
import { codeFieldsOf, fieldsOf, type InputField, variableFieldsOf } from '../input-draft.ts';
import type { CalibrationJudgeData } from './generated/calibration.ts';

/** The evaluator that is compared with people. */
export type Judge = Extract<CalibrationJudgeData['node'], { readonly __typename: 'DatasetEvaluator' }>;

/** Inputs of the evaluator. */
export function fieldsOfJudge({ evaluator }: Judge): readonly InputField[] {
  switch (evaluator.__typename) {
    case 'LLMEvaluator': {
      const content = toVersionContent(evaluator.promptVersion.content);
      return variableFieldsOf(variablesOf(fromVersion(content, null, null)));
    }
    case 'CodeEvaluator':
      return codeFieldsOf(evaluator.inputSchema);
    case 'BuiltInEvaluator':
      return fieldsOf(evaluator.inputSchema);
    default:
      return [];
  }
}

export const outputNames = ({ outputConfigs, name }: Judge): readonly string[] => {
  const names = outputConfigs.flatMap((config) => ('name' in config ? config.name : []));
  // Code without outputs annotates under its own name.
  return names.length > 0 ? names : [name];
};

/** Keys of this browser for the model of the evaluator. */
export function credentialsOfJudge({ evaluator }: Judge) {
  if (evaluator.__typename !== 'LLMEvaluator') return undefined;
  const { model_provider: provider } = toVersionContent(evaluator.promptVersion.content);
  return isProvider(provider) ? credentialsFor(provider) : undefined;
}
