import { send } from '../../data/request.ts';
import { changeConfig, type MakeConfigVariables, makeConfig } from './generated/annotations.ts';

type ConfigInput = MakeConfigVariables['input']['annotationConfig'];

/**
 * Creates an annotation config, or updates the one with an ID.
 *
 * @returns Its ID, so that a retry after a failed next step updates the config that was created.
 * @throws {RequestFailure}
 */
export async function saveConfig(id: string | undefined, annotationConfig: ConfigInput): Promise<string> {
  const { annotationConfig: saved } =
    id === undefined
      ? (await send(makeConfig, { input: { annotationConfig } })).createAnnotationConfig
      : (await send(changeConfig, { input: { id, annotationConfig } })).updateAnnotationConfig;
  return saved.id;
}
