import { send } from '../../data/request.ts';
import { changeConfig, type MakeConfigVariables, makeConfig } from './generated/annotations.ts';

type ConfigInput = MakeConfigVariables['input']['annotationConfig'];

/**
 * Makes an annotation config, or changes the one of an id.
 *
 * @returns Its id: who fails at what comes next, and tries again, changes what was made.
 * @throws {RequestFailure}
 */
export async function saveConfig(id: string | undefined, annotationConfig: ConfigInput): Promise<string> {
  const { annotationConfig: saved } =
    id === undefined
      ? (await send(makeConfig, { input: { annotationConfig } })).createAnnotationConfig
      : (await send(changeConfig, { input: { id, annotationConfig } })).updateAnnotationConfig;
  return saved.id;
}
