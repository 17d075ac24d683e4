import type { Generated, GeneratedAlways } from 'kysely';
import type { CodeLanguage, SandboxBackend } from '../../model/evaluators/sandbox-config.ts';

export interface SandboxProviderTable {
  readonly backend_type: SandboxBackend;
  readonly enabled: boolean;
  /** JSON text: select it with `jsonText`. */
  readonly config: Generated<string>;
  readonly user_id: number | null;
  readonly updated_at: Generated<Date>;
}

export interface SandboxConfigTable {
  readonly id: GeneratedAlways<number>;
  readonly backend_type: SandboxBackend;
  readonly language: CodeLanguage;
  readonly name: string;
  readonly description: string | null;
  /** JSON text of `SandboxResources`, whose absent fields have none. */
  readonly config: string;
  /** Seconds. */
  readonly timeout: number;
  readonly enabled: boolean;
  readonly created_at: Generated<Date>;
  readonly updated_at: Generated<Date>;
  readonly user_id: number | null;
}
