import { send } from '../../data/request.ts';
import { type CreateConfigVariables, changeConfig, createConfig } from './generated/annotations.ts';

type ConfigInput = CreateConfigVariables['input']['annotationConfig'];

/**
 * Creates an annotation config, or changes the config with the ID.
 *
 * @returns The ID. If a later step fails and the user retries, pass it to change the created config.
 * @throws {RequestFailure}
 */
export async function saveConfig(id: string | undefined, annotationConfig: ConfigInput): Promise<string> {
  const { annotationConfig: saved } =
    id === undefined
      ? (await send(createConfig, { input: { annotationConfig } })).createAnnotationConfig
      : (await send(changeConfig, { input: { id, annotationConfig } })).updateAnnotationConfig;
  return saved.id;
}
