import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely';
import type {
  AnnotationConfigType,
  CategoricalValue,
  OptimizationDirection,
} from '../../model/annotations/annotation-config.ts';
import type { ProjectLevel } from '../../model/projects/project-member.ts';
import type { RetentionRule } from '../../model/projects/retention-policy.ts';

export interface RetentionPolicyTable {
  readonly id: Generated<number>;
  readonly name: string;
  readonly cron_expression: string;
  readonly rule: JSONColumnType<RetentionRule>;
  /** Hours up to here need no look any more. */
  readonly swept_at: Generated<Date>;
}

/** A deleted project and the journal position of its deletion. Earlier records with its name belong to it. */
export interface DeletedProjectTable {
  readonly id: number;
  readonly name: string;
  readonly position: number;
}

export interface ProjectTable {
  readonly id: GeneratedAlways<number>;
  readonly name: string;
  readonly description: string | null;
  readonly gradient_start_color: Generated<string>;
  readonly gradient_end_color: Generated<string>;
  /** Null: the default policy. */
  readonly trace_retention_policy_id: Generated<number | null>;
  readonly is_private: Generated<boolean>;
  readonly created_at: Generated<Date>;
  readonly updated_at: Generated<Date>;
}

/** A person or a group with access to a private project. Either `user_id` or `group_name` is null. */
export interface ProjectMemberTable {
  readonly id: GeneratedAlways<number>;
  readonly project_id: number;
  readonly user_id: number | null;
  readonly group_name: string | null;
  readonly level: ProjectLevel;
  readonly created_at: Generated<Date>;
}

export interface AnnotationConfigTable {
  readonly id: GeneratedAlways<number>;
  readonly name: string;
  readonly description: string | null;
  readonly type: AnnotationConfigType;
  readonly optimization_direction: OptimizationDirection | null;
  readonly threshold: number | null;
  readonly lower_bound: number | null;
  readonly upper_bound: number | null;
  /** Empty unless the type is CATEGORICAL. It is written as JSON text. */
  readonly values: JSONColumnType<CategoricalValue[]>;
}

export interface ProjectAnnotationConfigTable {
  readonly project_id: number;
  readonly annotation_config_id: number;
}

export interface SavedViewTable {
  readonly id: GeneratedAlways<number>;
  readonly project_id: number;
  readonly tab: string;
  readonly name: string;
  readonly search: string;
  readonly layout: string;
  readonly created_at: Generated<Date>;
  readonly updated_at: Generated<Date>;
  /** The author. Null without sign-in, and after the user was deleted. */
  readonly user_id: Generated<number | null>;
}
