// Made by scripts/generate-client-types.mjs from the OpenAPI document of the server.

/** Operations by path and method, for openapi-fetch. */
export interface paths {
  '/v1/user': {
    get: operations['getViewer'];
  };
  '/v1/users': {
    get: operations['listUsers'];
    post: operations['createUser'];
  };
  '/v1/users/{user_id}': {
    delete: operations['deleteUser'];
  };
  '/v1/user/api_keys': {
    get: operations['listOwnApiKeys'];
    post: operations['createOwnApiKey'];
  };
  '/v1/user/api_keys/{api_key_id}': {
    delete: operations['deleteUserApiKey'];
  };
  '/v1/users/api_keys': {
    get: operations['listApiKeysOfUsers'];
  };
  '/v1/system/api_keys': {
    get: operations['listSystemApiKeys'];
    post: operations['createSystemApiKey'];
  };
  '/v1/system/api_keys/{api_key_id}': {
    delete: operations['deleteSystemApiKey'];
  };
  '/v1/audit_log': {
    get: operations['listAuditEntries'];
  };
  '/v1/audit_log/csv': {
    get: operations['exportAuditLog'];
  };
  '/v1/projects': {
    get: operations['listProjects'];
    post: operations['createProject'];
  };
  '/v1/projects/{project_identifier}': {
    get: operations['getProject'];
    put: operations['updateProject'];
    delete: operations['deleteProject'];
  };
  '/v1/projects/{project_identifier}/access': {
    get: operations['getProjectAccess'];
    patch: operations['setProjectPrivacy'];
  };
  '/v1/projects/{project_identifier}/access/members': {
    put: operations['setProjectMember'];
    delete: operations['removeProjectMember'];
  };
  '/v1/projects/{project_identifier}/spans': {
    get: operations['listSpans'];
    post: operations['createSpans'];
  };
  '/v1/projects/{project_identifier}/spans/otlpv1': {
    get: operations['listSpansAsOtlp'];
  };
  '/v1/spans/{span_identifier}': {
    delete: operations['deleteSpan'];
  };
  '/v1/projects/{project_identifier}/spans/export': {
    get: operations['exportSpans'];
    post: operations['exportChosenSpans'];
  };
  '/v1/projects/{project_identifier}/spans/import': {
    post: operations['importSpans'];
  };
  '/v1/spans': {
    post: operations['querySpans'];
    get: operations['querySpansByGet'];
  };
  '/v1/projects/{project_identifier}/traces': {
    get: operations['listTraces'];
  };
  '/v1/traces/{trace_identifier}': {
    delete: operations['deleteTrace'];
  };
  '/v1/traces/transfer': {
    post: operations['transferTraces'];
  };
  '/v1/projects/{project_identifier}/sessions': {
    get: operations['listSessions'];
  };
  '/v1/sessions/{session_identifier}': {
    get: operations['getSession'];
    delete: operations['deleteSession'];
  };
  '/v1/sessions/delete': {
    post: operations['deleteSessions'];
  };
  '/v1/prompts': {
    get: operations['listPrompts'];
    post: operations['createPromptVersion'];
  };
  '/v1/prompts/{prompt_identifier}': {
    patch: operations['updatePrompt'];
    delete: operations['deletePrompt'];
  };
  '/v1/prompts/{prompt_identifier}/versions': {
    get: operations['listPromptVersions'];
  };
  '/v1/prompts/{prompt_identifier}/latest': {
    get: operations['getLatestPromptVersion'];
  };
  '/v1/prompts/{prompt_identifier}/tags/{tag_name}': {
    get: operations['getTaggedPromptVersion'];
  };
  '/v1/prompt_versions/{prompt_version_id}': {
    get: operations['getPromptVersion'];
  };
  '/v1/prompt_versions/{prompt_version_id}/diff': {
    get: operations['comparePromptVersions'];
  };
  '/v1/prompt_versions/{prompt_version_id}/tags': {
    get: operations['listPromptVersionTags'];
    post: operations['setPromptVersionTag'];
  };
  '/v1/prompt_versions/{prompt_version_id}/tags/{tag_name}': {
    delete: operations['deletePromptVersionTag'];
  };
  '/v1/span_annotations': {
    post: operations['annotateSpans'];
  };
  '/v1/trace_annotations': {
    post: operations['annotateTraces'];
  };
  '/v1/session_annotations': {
    post: operations['annotateSessions'];
  };
  '/v1/document_annotations': {
    post: operations['annotateDocuments'];
  };
  '/v1/span_notes': {
    post: operations['addSpanNote'];
  };
  '/v1/trace_notes': {
    post: operations['addTraceNote'];
  };
  '/v1/session_notes': {
    post: operations['addSessionNote'];
  };
  '/v1/projects/{project_identifier}/span_annotations': {
    get: operations['listSpanAnnotations'];
    delete: operations['deleteSpanAnnotations'];
  };
  '/v1/projects/{project_identifier}/trace_annotations': {
    get: operations['listTraceAnnotations'];
    delete: operations['deleteTraceAnnotations'];
  };
  '/v1/projects/{project_identifier}/session_annotations': {
    get: operations['listSessionAnnotations'];
    delete: operations['deleteSessionAnnotations'];
  };
  '/v1/annotation_configs': {
    get: operations['listAnnotationConfigs'];
    post: operations['createAnnotationConfig'];
  };
  '/v1/annotation_configs/{config_identifier}': {
    get: operations['getAnnotationConfig'];
  };
  '/v1/annotation_configs/{config_id}': {
    put: operations['replaceAnnotationConfig'];
    delete: operations['deleteAnnotationConfig'];
  };
  '/v1/projects/{project_identifier}/annotation_configs': {
    get: operations['listProjectAnnotationConfigs'];
    put: operations['setProjectAnnotationConfigs'];
  };
  '/v1/projects/{project_identifier}/annotation_configs/{config_identifier}': {
    put: operations['assignAnnotationConfig'];
    delete: operations['unassignAnnotationConfig'];
  };
  '/v1/datasets': {
    get: operations['listDatasets'];
  };
  '/v1/datasets/{id}': {
    get: operations['getDataset'];
    patch: operations['updateDataset'];
    delete: operations['deleteDataset'];
  };
  '/v1/datasets/{id}/versions': {
    get: operations['listDatasetVersions'];
  };
  '/v1/datasets/upload': {
    post: operations['uploadDataset'];
  };
  '/v1/datasets/upload/spans': {
    post: operations['uploadSpansToDataset'];
  };
  '/v1/dataset_uploads': {
    post: operations['uploadDatasetFile'];
  };
  '/v1/dataset_uploads/{upload_id}': {
    get: operations['getDatasetUpload'];
  };
  '/v1/dataset_uploads/parquet_preview': {
    post: operations['previewParquetFile'];
  };
  '/v1/datasets/{id}/examples': {
    get: operations['listDatasetExamples'];
  };
  '/v1/datasets/{id}/changes': {
    get: operations['listDatasetChanges'];
  };
  '/v1/datasets/{id}/csv': {
    get: operations['downloadDatasetCsv'];
  };
  '/v1/datasets/{id}/jsonl': {
    get: operations['downloadDatasetJsonLines'];
  };
  '/v1/datasets/{id}/jsonl/openai_ft': {
    get: operations['downloadDatasetOpenAiFineTuning'];
  };
  '/v1/datasets/{id}/jsonl/openai_evals': {
    get: operations['downloadDatasetOpenAiEvals'];
  };
  '/v1/datasets/{dataset_identifier}/splits': {
    post: operations['createDatasetSplit'];
  };
  '/v1/datasets/{dataset_identifier}/splits/{split_id}': {
    patch: operations['updateDatasetSplit'];
    delete: operations['deleteDatasetSplit'];
  };
  '/v1/datasets/{dataset_identifier}/spans': {
    post: operations['addSpansAsExamples'];
  };
  '/v1/dataset_sources/{source_id}/examples': {
    post: operations['addNewMatchesOfSource'];
  };
  '/v1/dataset_labels': {
    get: operations['listDatasetLabels'];
    post: operations['createDatasetLabel'];
  };
  '/v1/dataset_labels/{label_id}': {
    get: operations['getDatasetLabel'];
    patch: operations['updateDatasetLabel'];
    delete: operations['deleteDatasetLabel'];
  };
  '/v1/datasets/{dataset_identifier}/labels': {
    get: operations['listLabelsOfDataset'];
    put: operations['setLabelsOfDataset'];
  };
  '/v1/datasets/{dataset_identifier}/labels/{label_id}': {
    put: operations['addLabelToDataset'];
    delete: operations['removeLabelFromDataset'];
  };
  '/v1/datasets/{dataset_id}/experiments': {
    post: operations['createExperiment'];
    get: operations['listExperiments'];
  };
  '/v1/experiments/{experiment_id}': {
    get: operations['getExperiment'];
    patch: operations['updateExperiment'];
    delete: operations['deleteExperiment'];
  };
  '/v1/experiments/{experiment_id}/json': {
    get: operations['downloadExperimentJson'];
  };
  '/v1/experiments/{experiment_id}/csv': {
    get: operations['downloadExperimentCsv'];
  };
  '/v1/experiment_comparisons/csv': {
    get: operations['getExperimentComparisonCsv'];
  };
  '/v1/experiment_comparisons/report': {
    get: operations['getExperimentComparisonReport'];
  };
  '/v1/experiments/{experiment_id}/runs': {
    post: operations['createExperimentRun'];
    get: operations['listExperimentRuns'];
  };
  '/v1/experiments/{experiment_id}/incomplete-runs': {
    get: operations['listIncompleteRuns'];
  };
  '/v1/experiments/{experiment_id}/incomplete-evaluations': {
    get: operations['listIncompleteEvaluations'];
  };
  '/v1/experiment_evaluations': {
    post: operations['upsertExperimentEvaluation'];
  };
  '/v1/experiments/{experiment_id}/tags': {
    get: operations['listExperimentTags'];
    post: operations['tagExperiment'];
  };
  '/v1/experiments/{experiment_id}/tags/{tag_identifier}': {
    delete: operations['untagExperiment'];
  };
  '/v1/cost_recomputations': {
    post: operations['recomputeCosts'];
  };
  '/v1/cost_recomputations/{recomputation_id}': {
    get: operations['getCostRecomputation'];
  };
  '/v1/secrets': {
    put: operations['upsertOrDeleteSecrets'];
  };
  '/v1/chat/completions': {
    post: operations['createChatCompletion'];
  };
}

/** Operations by their id. */
export interface operations {
  /**
   * Read the account of the caller
   * With the admin secret or a system key it is the internal account.
   */
  getViewer: {
    parameters: Record<never, never>;
    responses: {
      200: {
        content: {
          'application/json': {
            data: User | {
              auth_method: "ANONYMOUS";
            };
          };
        };
      };
      401: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /** List users, newest first */
  listUsers: {
    parameters: {
      query?: {
        /** `next_cursor` of the previous page. It names the first row of this page. */
        cursor?: string;
        /** Rows of the page. A page holds at most 1000. */
        limit?: number;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (User)[];
            /** Cursor of the next page. Null on the last page. */
            next_cursor: string | null;
          };
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /** Create a user */
  createUser: {
    parameters: Record<never, never>;
    requestBody: {
      content: {
        'application/json': {
          user: {
            auth_method: "LOCAL";
            email: string;
            username: string;
            role: "SYSTEM" | "ADMIN" | "MEMBER" | "VIEWER";
            /** Default: a random one, which the user must reset. */
            password?: string;
          } | {
            auth_method: "OAUTH2";
            email: string;
            username: string;
            role: "SYSTEM" | "ADMIN" | "MEMBER" | "VIEWER";
            oauth2_client_id?: string;
            oauth2_user_id?: string;
          } | {
            auth_method: "LDAP";
            email: string;
            username: string;
            role: "SYSTEM" | "ADMIN" | "MEMBER" | "VIEWER";
          };
          /** Has no effect without a mail server. */
          send_welcome_email?: boolean;
        };
      };
    };
    responses: {
      201: {
        content: {
          'application/json': {
            data: User;
          };
        };
      };
      400: {
        content: {
          'text/plain': string;
        };
      };
      409: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Delete a user
   * Sessions and keys of the user end at once. What the user wrote stays, without an author.
   */
  deleteUser: {
    parameters: {
      path: {
        /** Global ID of the user. */
        user_id: string;
      };
    };
    responses: {
      204: {
        content?: never;
      };
      403: {
        content: {
          'text/plain': string;
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /** List the keys of the caller */
  listOwnApiKeys: {
    parameters: Record<never, never>;
    responses: {
      200: {
        content: {
          'application/json': {
            data: (ApiKey)[];
          };
        };
      };
    };
  };
  /**
   * Create a key of the caller
   * Needs a session: a key cannot create keys.
   */
  createOwnApiKey: {
    parameters: Record<never, never>;
    requestBody: {
      content: {
        'application/json': {
          data: {
            name: string;
            description?: string | null;
            expires_at?: string | null;
            scope?: "ALL" | "READ" | "SEND" | "SCIM";
            projects?: (string)[] | null;
          };
        };
      };
    };
    responses: {
      201: {
        content: {
          'application/json': {
            data: CreatedApiKey;
          };
        };
      };
      403: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /** Delete a key of the caller, or of any user as an administrator */
  deleteUserApiKey: {
    parameters: {
      path: {
        /** Global ID of the key. */
        api_key_id: string;
      };
    };
    responses: {
      204: {
        content?: never;
      };
      403: {
        content: {
          'text/plain': string;
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /** List the keys of all users, newest first */
  listApiKeysOfUsers: {
    parameters: {
      query?: {
        /** `next_cursor` of the previous page. It names the first row of this page. */
        cursor?: string;
        /** Rows of the page. */
        limit?: number;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (ApiKeyOfUser)[];
            /** Cursor of the next page. Null on the last page. */
            next_cursor: string | null;
          };
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /** List system keys, newest first */
  listSystemApiKeys: {
    parameters: Record<never, never>;
    responses: {
      200: {
        content: {
          'application/json': {
            data: (ApiKey)[];
          };
        };
      };
    };
  };
  /**
   * Create a system key
   * A system key belongs to no person, so it stays valid when people leave. Needs a session or the admin secret.
   */
  createSystemApiKey: {
    parameters: Record<never, never>;
    requestBody: {
      content: {
        'application/json': {
          data: {
            name: string;
            description?: string | null;
            expires_at?: string | null;
            scope?: "ALL" | "READ" | "SEND" | "SCIM";
            projects?: (string)[] | null;
          };
        };
      };
    };
    responses: {
      201: {
        content: {
          'application/json': {
            data: CreatedApiKey;
          };
        };
      };
      403: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /** Delete a system key */
  deleteSystemApiKey: {
    parameters: {
      path: {
        /** Global ID of the key. */
        api_key_id: string;
      };
    };
    responses: {
      204: {
        content?: never;
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /** List the audit log, newest first */
  listAuditEntries: {
    parameters: {
      query?: {
        action?: "sign-in" | "sign-out" | "session.end" | "password.request-reset" | "password.reset" | "session.stolen" | "user.create" | "user.update" | "user.delete" | "user.unlock" | "identity.link" | "identity.unlink" | "user-key.create" | "user-key.delete" | "system-key.create" | "system-key.delete" | "provider.create" | "provider.update" | "provider.delete" | "sandbox-config.create" | "sandbox-config.update" | "sandbox-config.delete" | "sandbox-provider.update" | "retention.create" | "retention.update" | "retention.delete" | "project.delete" | "project.clear" | "dataset.delete" | "project.privacy" | "project-member.set" | "project-member.remove" | "group.create" | "group.update" | "group.delete" | "prompt.delete" | "experiment.delete" | "data.delete" | "secret.set" | "secret.delete" | "export" | "oauth2-client.register" | "oauth2-grant.approve" | "oauth2-grant.create" | "oauth2-grant.revoke" | "oauth2-grant.replay";
        outcome?: "DONE" | "DENIED";
        /** Entries at or after this time. */
        start_time?: string;
        /** Entries before this time. */
        end_time?: string;
        /** Part of the name of the user or target. Case is ignored. */
        text?: string;
        /** Part of the name of the user. Case is ignored. */
        username?: string;
        /** Part of the kind, id or name of the target. Case is ignored. */
        target?: string;
        /** `next_cursor` of the previous page. It names the first row of this page. */
        cursor?: string;
        /** Rows of the page. */
        limit?: number;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (AuditEntry)[];
            /** Cursor of the next page. Null on the last page. */
            next_cursor: string | null;
          };
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Download the audit log as CSV, newest first
   * At most 100000 entries. The download is an entry itself.
   */
  exportAuditLog: {
    parameters: {
      query?: {
        action?: "sign-in" | "sign-out" | "session.end" | "password.request-reset" | "password.reset" | "session.stolen" | "user.create" | "user.update" | "user.delete" | "user.unlock" | "identity.link" | "identity.unlink" | "user-key.create" | "user-key.delete" | "system-key.create" | "system-key.delete" | "provider.create" | "provider.update" | "provider.delete" | "sandbox-config.create" | "sandbox-config.update" | "sandbox-config.delete" | "sandbox-provider.update" | "retention.create" | "retention.update" | "retention.delete" | "project.delete" | "project.clear" | "dataset.delete" | "project.privacy" | "project-member.set" | "project-member.remove" | "group.create" | "group.update" | "group.delete" | "prompt.delete" | "experiment.delete" | "data.delete" | "secret.set" | "secret.delete" | "export" | "oauth2-client.register" | "oauth2-grant.approve" | "oauth2-grant.create" | "oauth2-grant.revoke" | "oauth2-grant.replay";
        outcome?: "DONE" | "DENIED";
        /** Entries at or after this time. */
        start_time?: string;
        /** Entries before this time. */
        end_time?: string;
        /** Part of the name of the user or target. Case is ignored. */
        text?: string;
        /** Part of the name of the user. Case is ignored. */
        username?: string;
        /** Part of the kind, id or name of the target. Case is ignored. */
        target?: string;
      };
    };
    responses: {
      200: {
        content: {
          'text/csv': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /** List projects, newest first */
  listProjects: {
    parameters: {
      query?: {
        /** `next_cursor` of the previous page. It names the first row of this page. */
        cursor?: string;
        /** Rows of the page. A page holds at most 1000. */
        limit?: number;
        /** Also list projects of experiments. */
        include_experiment_projects?: boolean;
        /** Also list projects of dataset evaluators. */
        include_dataset_evaluator_projects?: boolean;
        /** Part of the name. Case is ignored. */
        name_contains?: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (Project)[];
            /** Cursor of the next page. Null on the last page. */
            next_cursor: string | null;
          };
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Create a project
   * A project is also created by the first span that names it.
   */
  createProject: {
    parameters: Record<never, never>;
    requestBody: {
      content: {
        'application/json': {
          name: string;
          description?: string | null;
          /** Whether only the caller, members and administrators find it. Needs sign-in. */
          is_private?: boolean;
        };
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: Project;
          };
        };
      };
      409: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /** Read a project */
  getProject: {
    parameters: {
      path: {
        /** Global ID or exact name of the project. */
        project_identifier: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: Project;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Change the description of a project
   * The name of a project never changes.
   */
  updateProject: {
    parameters: {
      path: {
        /** Global ID or exact name of the project. */
        project_identifier: string;
      };
    };
    requestBody: {
      content: {
        'application/json': {
          /** Null or absent to keep it. */
          description?: string | null;
        };
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: Project;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /** Delete a project with everything in it */
  deleteProject: {
    parameters: {
      path: {
        /** Global ID or exact name of the project. */
        project_identifier: string;
      };
    };
    responses: {
      204: {
        content?: never;
      };
      403: {
        content: {
          'text/plain': string;
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      409: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /** Read who may use a project */
  getProjectAccess: {
    parameters: {
      path: {
        /** Global ID or exact name of the project. */
        project_identifier: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: ProjectAccess;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Make a project private or open
   * Needs an owner or administrator. Members stay.
   */
  setProjectPrivacy: {
    parameters: {
      path: {
        /** Global ID or exact name of the project. */
        project_identifier: string;
      };
    };
    requestBody: {
      content: {
        'application/json': {
          is_private: boolean;
        };
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: ProjectAccess;
          };
        };
      };
      403: {
        content: {
          'text/plain': string;
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      409: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /**
   * Add a member, or change the level of one
   * Needs an owner or administrator. Exactly one of user_id, email and group names the member.
   */
  setProjectMember: {
    parameters: {
      path: {
        /** Global ID or exact name of the project. */
        project_identifier: string;
      };
    };
    requestBody: {
      content: {
        'application/json': {
          /** Global ID of a user. */
          user_id?: string;
          /** A group of the identity provider. */
          group?: string;
          email?: string;
          /** READER: reads. EDITOR: also writes. OWNER: also manages the access. */
          level: "READER" | "EDITOR" | "OWNER";
        };
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: ProjectAccess;
          };
        };
      };
      403: {
        content: {
          'text/plain': string;
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      409: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /**
   * Remove a member
   * Needs an owner or administrator; everyone may leave. Either user_id or group names the member.
   */
  removeProjectMember: {
    parameters: {
      query?: {
        /** Global ID of a user. */
        user_id?: string;
        /** A group of the identity provider. */
        group?: string;
      };
      path: {
        /** Global ID or exact name of the project. */
        project_identifier: string;
      };
    };
    responses: {
      204: {
        content?: never;
      };
      403: {
        content: {
          'text/plain': string;
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      409: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /** List spans, last stored first */
  listSpans: {
    parameters: {
      query?: {
        /** `next_cursor` of the previous page. It names the first row of this page. */
        cursor?: string;
        /** Rows of the page. */
        limit?: number;
        /** Start at or after this time. Without an offset it is UTC. */
        start_time?: string;
        /** Start before this time. Without an offset it is UTC. */
        end_time?: string;
        /** Trace IDs. */
        trace_id?: (string)[];
        /** Span IDs. */
        span_id?: (string)[];
        /** Span ID of the parent, or `null` for spans without a parent. */
        parent_id?: string;
        /** Exact names. */
        name?: (string)[];
        /** `OK`, `ERROR` or `UNSET`, in any case. */
        status_code?: (string)[];
        /** `key:value`: a dotted path, and a JSON value or a text. All conditions must hold. Quote a text that looks like a number or boolean: `user.id:"12345"`. */
        attribute?: (string)[];
        /** Span kinds, in any case. */
        span_kind?: (string)[];
      };
      path: {
        /** Global ID or exact name of the project. */
        project_identifier: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (Span)[];
            /** Cursor of the next page. Null on the last page. */
            next_cursor: string | null;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Store spans, all of them or none
   * The spans are durable when the server responds, and listed within a second. A project that is given by its name is created when it does not exist.
   */
  createSpans: {
    parameters: {
      path: {
        /** Global ID or exact name of the project. */
        project_identifier: string;
      };
    };
    requestBody: {
      content: {
        'application/json': {
          data: (NewSpan)[];
        };
      };
    };
    responses: {
      202: {
        content: {
          'application/json': QueuedSpans;
        };
      };
      400: {
        content: {
          'application/json': RefusedSpans;
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /** List spans as OTLP, last stored first */
  listSpansAsOtlp: {
    parameters: {
      query?: {
        /** `next_cursor` of the previous page. It names the first row of this page. */
        cursor?: string;
        /** Rows of the page. */
        limit?: number;
        /** Start at or after this time. Without an offset it is UTC. */
        start_time?: string;
        /** Start before this time. Without an offset it is UTC. */
        end_time?: string;
        /** Trace IDs. */
        trace_id?: (string)[];
        /** Span IDs. */
        span_id?: (string)[];
        /** Span ID of the parent, or `null` for spans without a parent. */
        parent_id?: string;
        /** Exact names. */
        name?: (string)[];
        /** `OK`, `ERROR` or `UNSET`, in any case. */
        status_code?: (string)[];
        /** `key:value`: a dotted path, and a JSON value or a text. All conditions must hold. Quote a text that looks like a number or boolean: `user.id:"12345"`. */
        attribute?: (string)[];
      };
      path: {
        /** Global ID or exact name of the project. */
        project_identifier: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (OtlpSpan)[];
            /** Cursor of the next page. Null on the last page. */
            next_cursor: string | null;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Delete a span
   * Its children stay. The trace is deleted with its last span.
   */
  deleteSpan: {
    parameters: {
      path: {
        /** Global ID, or span ID of OpenTelemetry. */
        span_identifier: string;
      };
    };
    responses: {
      204: {
        content?: never;
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Download the spans of a project
   * Spans are in the order in which they were stored, with their annotations. Spans that arrive during the download are left out. The file is written while it is sent, and `X-Span-Count` is the expected number of spans. JSON lines and Parquet can be imported again. OTLP in JSON is one request as exporters send it, without annotations. A Parquet file is written before it is sent, and `X-File-Bytes` is its size: times are timestamps in nanoseconds, fields of filters have columns, and `attributes` (short ones), `long_attributes`, `metadata`, `events` and `annotations` are JSON texts. Cells of CSV hold the stored values. A spreadsheet may run a text that starts with `=`, `+`, `-` or `@` as a formula, so import the columns as text.
   */
  exportSpans: {
    parameters: {
      query?: {
        format?: "jsonl" | "csv" | "parquet" | "otlp-json";
        /** Start at or after this time. Without an offset it is UTC. */
        start_time?: string;
        /** Start before this time. Without an offset it is UTC. */
        end_time?: string;
        /** In the language of span filters. */
        filter_condition?: string;
        root_spans_only?: boolean;
        /** A span whose parent is not stored counts as a root. */
        orphan_span_as_root_span?: boolean;
      };
      path: {
        /** Global ID or exact name of the project. */
        project_identifier: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/x-ndjson': string;
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Download the spans of a project by a long list
   * Like `GET`, with the selection in the body, which may be longer than an address. Nothing is changed.
   */
  exportChosenSpans: {
    parameters: {
      path: {
        /** Global ID or exact name of the project. */
        project_identifier: string;
      };
    };
    requestBody: {
      content: {
        'application/json': {
          format?: "jsonl" | "csv" | "parquet" | "otlp-json";
          /** Start at or after this time. Without an offset it is UTC. */
          start_time?: string;
          /** Start before this time. Without an offset it is UTC. */
          end_time?: string;
          /** In the language of span filters. */
          filter_condition?: string;
          root_spans_only?: boolean;
          /** A span whose parent is not stored counts as a root. */
          orphan_span_as_root_span?: boolean;
          /** Only spans of these traces. */
          trace_ids?: (string)[];
        };
      };
    };
    responses: {
      200: {
        content: {
          'application/x-ndjson': string;
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Store the spans of a file that an export wrote
   * The body is JSON lines or Parquet as `GET …/spans/export` writes them, of any size, plain or with `Content-Encoding: gzip` or `deflate`. A stored span stays unchanged in its project, so the same file may be sent again, for example after a lost connection. An invalid line or row is rejected, and others are stored. A project that is given by its name is created when it does not exist.
   */
  importSpans: {
    parameters: {
      path: {
        /** Global ID or exact name of the project. */
        project_identifier: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: ImportedSpans;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'text/plain': string;
        };
      };
      429: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Query tables of spans
   * A table for each query. With `Accept: application/json` each is a part of `multipart/mixed`, in the JSON dialect "table schema", whose columns have a position and a name. Otherwise they are streams of Arrow's IPC format, one after the other, with structured values as JSON text (the extension `arrow.json`). A query may `select` keys, `filter` by a condition, `explode` a list into rows, `concat` the texts of a list, and `rename` columns; without any of them the table has all fields of spans. With `Accept: application/vnd.spandrel.arrow-pages`, one query is answered page by page, with any number of spans in constant memory (`limit: -1` for all): streams of Arrow, one after the other, each with the columns of the ones before or more.
   */
  querySpans: {
    parameters: {
      query?: {
        /** Name of the project. */
        project_name?: string;
        /** Name of the project. */
        'project-name'?: string;
      };
    };
    requestBody: {
      content: {
        'application/json': SpanQueries;
      };
    };
    responses: {
      200: {
        content?: never;
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Query tables of spans
   * A table for each query. With `Accept: application/json` each is a part of `multipart/mixed`, in the JSON dialect "table schema", whose columns have a position and a name. Otherwise they are streams of Arrow's IPC format, one after the other, with structured values as JSON text (the extension `arrow.json`). A query may `select` keys, `filter` by a condition, `explode` a list into rows, `concat` the texts of a list, and `rename` columns; without any of them the table has all fields of spans. With `Accept: application/vnd.spandrel.arrow-pages`, one query is answered page by page, with any number of spans in constant memory (`limit: -1` for all): streams of Arrow, one after the other, each with the columns of the ones before or more.
   */
  querySpansByGet: {
    parameters: {
      query?: {
        /** Name of the project. */
        project_name?: string;
        /** Name of the project. */
        'project-name'?: string;
      };
    };
    requestBody: {
      content: {
        'application/json': SpanQueries;
      };
    };
    responses: {
      200: {
        content?: never;
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /** List traces */
  listTraces: {
    parameters: {
      query?: {
        /** Start at or after this time. Without an offset it is UTC. */
        start_time?: string;
        /** Start before this time. Without an offset it is UTC. */
        end_time?: string;
        sort?: "start_time" | "latency_ms";
        order?: "asc" | "desc";
        /** Rows of the page. */
        limit?: number;
        /** `next_cursor` of the previous page. It names the first row of this page. */
        cursor?: string;
        /** Also list the spans of each trace. */
        include_spans?: boolean;
        /** Only traces with a failed span, or only those without. */
        error?: boolean;
        /** Minimum duration. */
        min_latency_ms?: number;
        /** Maximum duration. */
        max_latency_ms?: number;
        /** Only traces of these sessions: global IDs or session IDs of the application. */
        session_identifier?: (string)[];
      };
      path: {
        /** Global ID or exact name of the project. */
        project_identifier: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (Trace)[];
            /** Cursor of the next page. Null on the last page. */
            next_cursor: string | null;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Delete a trace with its spans
   * Its session stays, even without traces. Spans of the trace that arrive later create it again.
   */
  deleteTrace: {
    parameters: {
      path: {
        /** Global ID, or trace ID of OpenTelemetry. */
        trace_identifier: string;
      };
    };
    responses: {
      204: {
        content?: never;
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Move traces of one project to another
   * Moves all of them or none. Their sessions stay in their project.
   */
  transferTraces: {
    parameters: Record<never, never>;
    requestBody: {
      content: {
        'application/json': {
          /** Global IDs or OpenTelemetry trace IDs. */
          trace_identifiers: (string)[];
          destination_project_identifier: string;
        };
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: {
              transferred_trace_count: number;
              destination_project_id: string;
            };
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /** List sessions in the order in which they were stored, with their traces */
  listSessions: {
    parameters: {
      query?: {
        /** `next_cursor` of the previous page. It names the first row of this page. */
        cursor?: string;
        /** Rows of the page. A page holds at most 1000. */
        limit?: number;
        order?: "asc" | "desc";
      };
      path: {
        /** Global ID or exact name of the project. */
        project_identifier: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (Session)[];
            /** Cursor of the next page. Null on the last page. */
            next_cursor: string | null;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /** Read a session with its traces */
  getSession: {
    parameters: {
      path: {
        /** Global ID, or session ID of the application. */
        session_identifier: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: Session;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /** Delete a session with its traces and spans */
  deleteSession: {
    parameters: {
      path: {
        /** Global ID, or session ID of the application. */
        session_identifier: string;
      };
    };
    responses: {
      204: {
        content?: never;
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Delete sessions with their traces and spans
   * Either all global IDs, or all session IDs of the application. Unknown sessions are ignored.
   */
  deleteSessions: {
    parameters: Record<never, never>;
    requestBody: {
      content: {
        'application/json': {
          session_identifiers: (string)[];
        };
      };
    };
    responses: {
      204: {
        content?: never;
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /** List prompts, newest first */
  listPrompts: {
    parameters: {
      query?: {
        /** `next_cursor` of the previous page. It names the first row of this page. */
        cursor?: string;
        /** Rows of the page. A page holds at most 1000. */
        limit?: number;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (Prompt)[];
            /** Cursor of the next page. Null on the last page. */
            next_cursor: string | null;
          };
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Add a version to a prompt
   * The prompt is created if it does not exist. An existing prompt keeps its description, metadata and tags.
   */
  createPromptVersion: {
    parameters: Record<never, never>;
    requestBody: {
      content: {
        'application/json': {
          prompt: {
            name: string;
            description?: string | null;
            metadata?: Record<string, unknown> | null;
          };
          version: PromptVersionData;
        };
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: PromptVersion;
          };
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Change the description or metadata of a prompt
   * The name never changes. Metadata is replaced as a whole.
   */
  updatePrompt: {
    parameters: {
      path: {
        /** Global ID or name of the prompt. */
        prompt_identifier: string;
      };
    };
    requestBody: {
      content: {
        'application/json': {
          /** Null removes it. */
          description?: string | null;
          metadata?: Record<string, unknown>;
        };
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: {
              name?: string;
              description?: string | null;
              /** The prompt from which this one was cloned. */
              source_prompt_id?: string | null;
              metadata?: Record<string, unknown>;
              /** Global ID. */
              id?: string;
            };
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Delete a prompt with its versions and tags
   * Prompts that were cloned from it stay. A prompt that an LLM evaluator uses cannot be deleted.
   */
  deletePrompt: {
    parameters: {
      path: {
        /** Global ID or name of the prompt. */
        prompt_identifier: string;
      };
    };
    responses: {
      204: {
        content?: never;
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      409: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /**
   * List the versions of a prompt, newest first
   * The list is empty if the prompt does not exist.
   */
  listPromptVersions: {
    parameters: {
      query?: {
        /** `next_cursor` of the previous page. It names the first row of this page. */
        cursor?: string;
        /** Rows of the page. A page holds at most 1000. */
        limit?: number;
      };
      path: {
        /** Global ID or name of the prompt. */
        prompt_identifier: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (PromptVersion)[];
            /** Cursor of the next page. Null on the last page. */
            next_cursor: string | null;
          };
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /** Read the latest version of a prompt */
  getLatestPromptVersion: {
    parameters: {
      path: {
        /** Global ID or name of the prompt. */
        prompt_identifier: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: PromptVersion;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /** Read the version of a prompt that has a tag */
  getTaggedPromptVersion: {
    parameters: {
      path: {
        /** Global ID or name of the prompt. */
        prompt_identifier: string;
        /** Name of the tag. */
        tag_name: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: PromptVersion;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /** Read a version */
  getPromptVersion: {
    parameters: {
      path: {
        /** Global ID of the version. */
        prompt_version_id: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: PromptVersion;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /**
   * List the differences between two versions
   * The other version may belong to another prompt. Lists are compared by their equal items, so an inserted item is one difference.
   */
  comparePromptVersions: {
    parameters: {
      query: {
        /** Global ID of the version to compare with. */
        base: string;
      };
      path: {
        /** Global ID of the version. */
        prompt_version_id: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (PromptDifference)[];
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /** List the tags of a version, newest first */
  listPromptVersionTags: {
    parameters: {
      query?: {
        /** `next_cursor` of the previous page. It names the first row of this page. */
        cursor?: string;
        /** Rows of the page. A page holds at most 1000. */
        limit?: number;
      };
      path: {
        /** Global ID of the version. */
        prompt_version_id: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (PromptVersionTag)[];
            /** Cursor of the next page. Null on the last page. */
            next_cursor: string | null;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Tag a version
   * A tag belongs to one version of a prompt. If another version has it, it is moved.
   */
  setPromptVersionTag: {
    parameters: {
      path: {
        /** Global ID of the version. */
        prompt_version_id: string;
      };
    };
    requestBody: {
      content: {
        'application/json': {
          name: string;
          description?: string | null;
        };
      };
    };
    responses: {
      204: {
        content?: never;
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Remove a tag from a prompt
   * The tag is also removed if another version of the same prompt has it.
   */
  deletePromptVersionTag: {
    parameters: {
      path: {
        /** Global ID of the version. */
        prompt_version_id: string;
        /** Name of the tag. */
        tag_name: string;
      };
    };
    responses: {
      204: {
        content?: never;
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Annotate spans
   * Without `sync` the server responds as soon as the annotations are durable. An annotation whose target is not stored yet waits for it, up to a day.
   */
  annotateSpans: {
    parameters: {
      query?: {
        /** Respond with the IDs when all are stored. When a target is missing, store none and respond 404. */
        sync?: boolean;
      };
    };
    requestBody: {
      content: {
        'application/json': {
          data: ({
            name: string;
            annotator_kind: "LLM" | "CODE" | "HUMAN";
            result?: {
              label?: string | null;
              score?: number | null;
              explanation?: string | null;
            } | null;
            metadata?: Record<string, unknown> | null;
            /** A target has one annotation of each name and identifier. A later one replaces it. */
            identifier?: string;
            /** Span ID of OpenTelemetry. */
            span_id: string;
          })[];
        };
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: ({
              id: string;
            })[];
          };
        };
      };
      400: {
        content: {
          'text/plain': string;
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /**
   * Annotate traces
   * Without `sync` the server responds as soon as the annotations are durable. An annotation whose target is not stored yet waits for it, up to a day.
   */
  annotateTraces: {
    parameters: {
      query?: {
        /** Respond with the IDs when all are stored. When a target is missing, store none and respond 404. */
        sync?: boolean;
      };
    };
    requestBody: {
      content: {
        'application/json': {
          data: ({
            name: string;
            annotator_kind: "LLM" | "CODE" | "HUMAN";
            result?: {
              label?: string | null;
              score?: number | null;
              explanation?: string | null;
            } | null;
            metadata?: Record<string, unknown> | null;
            /** A target has one annotation of each name and identifier. A later one replaces it. */
            identifier?: string;
            /** Trace ID of OpenTelemetry. */
            trace_id: string;
          })[];
        };
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: ({
              id: string;
            })[];
          };
        };
      };
      400: {
        content: {
          'text/plain': string;
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /**
   * Annotate sessions
   * Without `sync` the server responds as soon as the annotations are durable. An annotation whose target is not stored yet waits for it, up to a day.
   */
  annotateSessions: {
    parameters: {
      query?: {
        /** Respond with the IDs when all are stored. When a target is missing, store none and respond 404. */
        sync?: boolean;
      };
    };
    requestBody: {
      content: {
        'application/json': {
          data: ({
            name: string;
            annotator_kind: "LLM" | "CODE" | "HUMAN";
            result?: {
              label?: string | null;
              score?: number | null;
              explanation?: string | null;
            } | null;
            metadata?: Record<string, unknown> | null;
            /** A target has one annotation of each name and identifier. A later one replaces it. */
            identifier?: string;
            /** Session ID of the application. */
            session_id: string;
          })[];
        };
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: ({
              id: string;
            })[];
          };
        };
      };
      400: {
        content: {
          'text/plain': string;
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /**
   * Annotate documents
   * Without `sync` the server responds as soon as the annotations are durable. An annotation whose target is not stored yet waits for it, up to a day.
   */
  annotateDocuments: {
    parameters: {
      query?: {
        /** Respond with the IDs when all are stored. When a target is missing, store none and respond 404. */
        sync?: boolean;
      };
    };
    requestBody: {
      content: {
        'application/json': {
          data: ({
            name: string;
            annotator_kind: "LLM" | "CODE" | "HUMAN";
            result?: {
              label?: string | null;
              score?: number | null;
              explanation?: string | null;
            } | null;
            metadata?: Record<string, unknown> | null;
            /** A target has one annotation of each name and identifier. A later one replaces it. */
            identifier?: string;
            /** Span ID of OpenTelemetry. */
            span_id: string;
            /** Position of the document in the span, from 0. */
            document_position: number;
          })[];
        };
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: ({
              id: string;
            })[];
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Add a note to a span
   * A note is an annotation with the name `note`, whose explanation is the text.
   */
  addSpanNote: {
    parameters: Record<never, never>;
    requestBody: {
      content: {
        'application/json': {
          data: {
            note: string;
            /** Empty to add a further note. Otherwise the note with this identifier is replaced. */
            identifier?: string;
            /** Span ID of OpenTelemetry. */
            span_id: string;
          };
        };
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: {
              id: string;
            };
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /**
   * Add a note to a trace
   * A note is an annotation with the name `note`, whose explanation is the text.
   */
  addTraceNote: {
    parameters: Record<never, never>;
    requestBody: {
      content: {
        'application/json': {
          data: {
            note: string;
            /** Empty to add a further note. Otherwise the note with this identifier is replaced. */
            identifier?: string;
            /** Trace ID of OpenTelemetry. */
            trace_id: string;
          };
        };
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: {
              id: string;
            };
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /**
   * Add a note to a session
   * A note is an annotation with the name `note`, whose explanation is the text.
   */
  addSessionNote: {
    parameters: Record<never, never>;
    requestBody: {
      content: {
        'application/json': {
          data: {
            note: string;
            /** Empty to add a further note. Otherwise the note with this identifier is replaced. */
            identifier?: string;
            /** Session ID of the application. */
            session_id: string;
          };
        };
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: {
              id: string;
            };
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /**
   * List annotations of spans, newest first
   * Selects by spans, by identifiers, or by both. Includes notes.
   */
  listSpanAnnotations: {
    parameters: {
      query?: {
        /** Span ID of OpenTelemetry. */
        span_ids?: (string)[];
        /** Identifiers. */
        identifier?: (string)[];
        /** Only these names. */
        include_annotation_names?: (string)[];
        /** None of these names. */
        exclude_annotation_names?: (string)[];
        /** `next_cursor` of the previous page. It names the first row of this page. */
        cursor?: string;
        limit?: number;
      };
      path: {
        /** Global ID or exact name of the project. */
        project_identifier: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (SpanAnnotation)[];
            /** Cursor of the next page. Null on the last page. */
            next_cursor: string | null;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Delete annotations of spans
   * Deletes the annotations for which every given condition holds. With sign-in, only administrators delete those of others.
   */
  deleteSpanAnnotations: {
    parameters: {
      query?: {
        name?: string;
        identifier?: string;
        annotator_kind?: "LLM" | "CODE" | "HUMAN";
        /** Created at or after this time. Without an offset it is UTC. */
        start_time?: string;
        /** Created before this time. Without an offset it is UTC. */
        end_time?: string;
        /** Required unless both times are given. */
        delete_all?: boolean;
      };
      path: {
        /** Global ID or exact name of the project. */
        project_identifier: string;
      };
    };
    responses: {
      204: {
        content?: never;
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * List annotations of traces, newest first
   * Selects by traces, by identifiers, or by both. Includes notes.
   */
  listTraceAnnotations: {
    parameters: {
      query?: {
        /** Trace ID of OpenTelemetry. */
        trace_ids?: (string)[];
        /** Identifiers. */
        identifier?: (string)[];
        /** Only these names. */
        include_annotation_names?: (string)[];
        /** None of these names. */
        exclude_annotation_names?: (string)[];
        /** `next_cursor` of the previous page. It names the first row of this page. */
        cursor?: string;
        limit?: number;
      };
      path: {
        /** Global ID or exact name of the project. */
        project_identifier: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (TraceAnnotation)[];
            /** Cursor of the next page. Null on the last page. */
            next_cursor: string | null;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Delete annotations of traces
   * Deletes the annotations for which every given condition holds. With sign-in, only administrators delete those of others.
   */
  deleteTraceAnnotations: {
    parameters: {
      query?: {
        name?: string;
        identifier?: string;
        annotator_kind?: "LLM" | "CODE" | "HUMAN";
        /** Created at or after this time. Without an offset it is UTC. */
        start_time?: string;
        /** Created before this time. Without an offset it is UTC. */
        end_time?: string;
        /** Required unless both times are given. */
        delete_all?: boolean;
      };
      path: {
        /** Global ID or exact name of the project. */
        project_identifier: string;
      };
    };
    responses: {
      204: {
        content?: never;
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * List annotations of sessions, newest first
   * Selects by sessions, by identifiers, or by both. Includes notes.
   */
  listSessionAnnotations: {
    parameters: {
      query?: {
        /** Session ID of the application. */
        session_ids?: (string)[];
        /** Identifiers. */
        identifier?: (string)[];
        /** Only these names. */
        include_annotation_names?: (string)[];
        /** None of these names. */
        exclude_annotation_names?: (string)[];
        /** `next_cursor` of the previous page. It names the first row of this page. */
        cursor?: string;
        limit?: number;
      };
      path: {
        /** Global ID or exact name of the project. */
        project_identifier: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (SessionAnnotation)[];
            /** Cursor of the next page. Null on the last page. */
            next_cursor: string | null;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Delete annotations of sessions
   * Deletes the annotations for which every given condition holds. With sign-in, only administrators delete those of others.
   */
  deleteSessionAnnotations: {
    parameters: {
      query?: {
        name?: string;
        identifier?: string;
        annotator_kind?: "LLM" | "CODE" | "HUMAN";
        /** Created at or after this time. Without an offset it is UTC. */
        start_time?: string;
        /** Created before this time. Without an offset it is UTC. */
        end_time?: string;
        /** Required unless both times are given. */
        delete_all?: boolean;
      };
      path: {
        /** Global ID or exact name of the project. */
        project_identifier: string;
      };
    };
    responses: {
      204: {
        content?: never;
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /** List annotation configs, newest first */
  listAnnotationConfigs: {
    parameters: {
      query?: {
        /** `next_cursor` of the previous page. It names the first row of this page. */
        cursor?: string;
        /** Rows of the page. A page holds at most 1000. */
        limit?: number;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (AnnotationConfig)[];
            /** Cursor of the next page. Null on the last page. */
            next_cursor: string | null;
          };
        };
      };
      400: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /**
   * Create an annotation config
   * A config defines the values of annotations of its name.
   */
  createAnnotationConfig: {
    parameters: Record<never, never>;
    requestBody: {
      content: {
        'application/json': NewAnnotationConfig;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: AnnotationConfig;
          };
        };
      };
      400: {
        content: {
          'text/plain': string;
        };
      };
      409: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /** Read an annotation config */
  getAnnotationConfig: {
    parameters: {
      path: {
        /** Global ID or name of the config. */
        config_identifier: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: AnnotationConfig;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Replace an annotation config
   * A new type of config also changes the type of its global ID.
   */
  replaceAnnotationConfig: {
    parameters: {
      path: {
        /** Global ID of the config. */
        config_id: string;
      };
    };
    requestBody: {
      content: {
        'application/json': NewAnnotationConfig;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: AnnotationConfig;
          };
        };
      };
      400: {
        content: {
          'text/plain': string;
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      409: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /**
   * Delete an annotation config
   * Annotations of its name stay.
   */
  deleteAnnotationConfig: {
    parameters: {
      path: {
        /** Global ID of the config. */
        config_id: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: AnnotationConfig;
          };
        };
      };
      400: {
        content: {
          'text/plain': string;
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /** List the annotation configs of a project, newest first */
  listProjectAnnotationConfigs: {
    parameters: {
      query?: {
        /** `next_cursor` of the previous page. It names the first row of this page. */
        cursor?: string;
        /** Rows of the page. A page holds at most 1000. */
        limit?: number;
      };
      path: {
        /** Global ID or exact name of the project. */
        project_identifier: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (AnnotationConfig)[];
            /** Cursor of the next page. Null on the last page. */
            next_cursor: string | null;
          };
        };
      };
      400: {
        content: {
          'text/plain': string;
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /** Assign exactly these annotation configs to a project */
  setProjectAnnotationConfigs: {
    parameters: {
      path: {
        /** Global ID or exact name of the project. */
        project_identifier: string;
      };
    };
    requestBody: {
      content: {
        'application/json': {
          annotation_config_ids: (string)[];
        };
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (AnnotationConfig)[];
            /** Cursor of the next page. Null on the last page. */
            next_cursor: string | null;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /** Assign an annotation config to a project */
  assignAnnotationConfig: {
    parameters: {
      path: {
        /** Global ID or exact name of the project. */
        project_identifier: string;
        /** Global ID or name of the config. */
        config_identifier: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: AnnotationConfig;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /** Remove an annotation config from a project */
  unassignAnnotationConfig: {
    parameters: {
      path: {
        /** Global ID or exact name of the project. */
        project_identifier: string;
        /** Global ID or name of the config. */
        config_identifier: string;
      };
    };
    responses: {
      204: {
        content?: never;
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /** List datasets, newest first */
  listDatasets: {
    parameters: {
      query?: {
        /** `next_cursor` of the previous page. It names the first row of this page. */
        cursor?: string;
        /** The exact name. */
        name?: string;
        /** Rows of the page. A page holds at most 1000. */
        limit?: number;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (Dataset)[];
            /** Cursor of the next page. Null on the last page. */
            next_cursor: string | null;
          };
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /** Read a dataset */
  getDataset: {
    parameters: {
      path: {
        /** Global ID of the dataset. */
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: Dataset;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /** Change the name, description or metadata of a dataset */
  updateDataset: {
    parameters: {
      path: {
        /** Global ID of the dataset. */
        id: string;
      };
    };
    requestBody: {
      content: {
        'application/json': {
          name?: string;
          /** Null removes it. */
          description?: string | null;
          /** Replaces the stored metadata. */
          metadata?: Record<string, unknown>;
        };
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: Dataset;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      409: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Delete a dataset with its versions, examples, experiments and evaluators
   * The projects and traces of its experiments and evaluators stay.
   */
  deleteDataset: {
    parameters: {
      path: {
        /** Global ID of the dataset. */
        id: string;
      };
    };
    responses: {
      204: {
        content?: never;
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /** List the versions of a dataset, newest first */
  listDatasetVersions: {
    parameters: {
      query?: {
        /** `next_cursor` of the previous page. It names the first row of this page. */
        cursor?: string;
        /** Rows of the page. A page holds at most 1000. */
        limit?: number;
      };
      path: {
        /** Global ID of the dataset. */
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (DatasetVersion)[];
            /** Cursor of the next page. Null on the last page. */
            next_cursor: string | null;
          };
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Upload examples to a dataset
   * Stores all examples or none. The body is JSON, or `multipart/form-data` with a `file` of CSV, JSON lines or an Arrow stream (`text/csv`, `application/jsonl`, `application/x-pandas-pyarrow`), which may be compressed (`Content-Encoding` of the part). The upload is durable when the server responds, with and without `sync`.
   */
  uploadDataset: {
    parameters: {
      query?: {
        /** Respond with the result of the upload. Otherwise the response is null. */
        sync?: boolean;
      };
    };
    requestBody: {
      content: {
        'application/json': NewDataset;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: DatasetUpload;
          } | null;
        };
      };
      400: {
        content: {
          'text/plain': string;
        };
      };
      409: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
      429: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Create examples from the spans that a filter selects
   * Stores all examples or none. Input and output of a span become those of its example, and its annotations become part of the metadata. The example contains the ID of the span. Examples are matched by content, so a repeated `append` adds only what is new.
   */
  uploadSpansToDataset: {
    parameters: Record<never, never>;
    requestBody: {
      content: {
        'application/json': DatasetSpans;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: DatasetUpload;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      409: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Upload a file to a dataset, or plan it
   * Takes the form of `POST /v1/datasets/upload` with a file of CSV, JSON lines, Arrow or Parquet (`application/vnd.apache.parquet`), of any supported `charset` (parameter of the content type) and `delimiter` (field). It also lists the rows that are no examples, by line: a row with more or fewer cells than the header, a line that is not JSON, an ID that an earlier row has. Repeated headers get numbers, and empty ones the number of their column. An upload is one transaction: all rows that are not rejected are stored, or none. A client that disconnects before the commit rolls it back.
   */
  uploadDatasetFile: {
    parameters: {
      query?: {
        /** ID by which the client asks for the state. Choose a random one for each upload. A request with the ID of an upload that is stored stores nothing, and gets its result without samples: a browser sends a request again when its connection breaks. */
        upload_id?: string;
        /** Dataset to change. Default: the dataset of the name. */
        dataset_id?: string;
        /** The version that the caller has seen. 409 if the dataset has a newer one. Empty: it has none. */
        version_id?: string;
        /** Respond with the plan and store nothing. */
        dry_run?: boolean;
        /** `fail`: one rejected row rejects the upload. `skip`: rejected rows are left out. */
        rejected_rows?: "fail" | "skip";
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: DatasetFileUpload;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      409: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
      429: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /** Get the state of an own upload */
  getDatasetUpload: {
    parameters: {
      path: {
        /** The ID that the client gave to the upload. */
        upload_id: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: DatasetUploadState;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Read columns and first rows of a Parquet file
   * The body is the start of the file followed by its end, so that a large file is not sent twice. Without `file_bytes` it is the whole file. Nothing is stored.
   */
  previewParquetFile: {
    parameters: {
      query?: {
        /** Size of the whole file. */
        file_bytes?: number;
        /** Bytes of the body that are the start. */
        head_bytes?: number;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: ParquetPreview;
          };
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Read the examples of a dataset at a version
   * Returns all examples in the order of their creation. With `limit`, returns one page of them, and the response has `next_cursor` in addition to `data`.
   */
  listDatasetExamples: {
    parameters: {
      query?: {
        /** Global ID of the version. Default: the latest version. */
        version_id?: string;
        /** Names or global IDs of splits. Returns examples that are currently in any of them. */
        split?: (string)[];
        /** Rows of the page. Default: all rows. */
        limit?: number;
        /** `next_cursor` of the previous page. It names the first row of this page. */
        cursor?: string;
      };
      path: {
        /** Global ID of the dataset. */
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: DatasetExamples;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Compare two versions of a dataset
   * Examples that differ, with their content at both versions.
   */
  listDatasetChanges: {
    parameters: {
      query: {
        /** Global ID of the version to compare with. */
        base_version_id: string;
        /** Global ID of the version. Default: the latest version. */
        version_id?: string;
        /** `next_cursor` of the previous page. It names the first row of this page. */
        cursor?: string;
        /** Rows of the page. A page holds at most 1000. */
        limit?: number;
      };
      path: {
        /** Global ID of the dataset. */
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (ExampleChange)[];
            /** Cursor of the next page. Null on the last page. */
            next_cursor: string | null;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Download a dataset as CSV
   * The file has a column for each leaf of input, output and metadata. Cells contain the stored values unchanged, so that the file can be uploaded again. A text that starts with `=`, `+`, `-` or `@` may be run as a formula by a spreadsheet, so open the download with `spreadsheet=true` there, or import the columns as text.
   */
  downloadDatasetCsv: {
    parameters: {
      query?: {
        /** Global ID of the version. Default: the latest version. */
        version_id?: string;
        /** For CSV: a text that a spreadsheet would run as a formula starts with an apostrophe. Such a file is not the same when it is uploaded again. */
        spreadsheet?: boolean;
      };
      path: {
        /** Global ID of the dataset. */
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          'text/csv': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Download a dataset as JSON lines
   * Each line contains one example.
   */
  downloadDatasetJsonLines: {
    parameters: {
      query?: {
        /** Global ID of the version. Default: the latest version. */
        version_id?: string;
        /** For CSV: a text that a spreadsheet would run as a formula starts with an apostrophe. Such a file is not the same when it is uploaded again. */
        spreadsheet?: boolean;
      };
      path: {
        /** Global ID of the dataset. */
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          'text/plain; charset=utf-8': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Download a dataset for fine-tuning with OpenAI
   * Each line contains the `messages` of the input, followed by those of the output, and the `tools` of the input.
   */
  downloadDatasetOpenAiFineTuning: {
    parameters: {
      query?: {
        /** Global ID of the version. Default: the latest version. */
        version_id?: string;
        /** For CSV: a text that a spreadsheet would run as a formula starts with an apostrophe. Such a file is not the same when it is uploaded again. */
        spreadsheet?: boolean;
      };
      path: {
        /** Global ID of the dataset. */
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          'text/plain; charset=utf-8': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Download a dataset for OpenAI evals
   * Each line contains the `messages` of the input and, as `ideal`, the text of the last message of the output.
   */
  downloadDatasetOpenAiEvals: {
    parameters: {
      query?: {
        /** Global ID of the version. Default: the latest version. */
        version_id?: string;
        /** For CSV: a text that a spreadsheet would run as a formula starts with an apostrophe. Such a file is not the same when it is uploaded again. */
        spreadsheet?: boolean;
      };
      path: {
        /** Global ID of the dataset. */
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          'text/plain; charset=utf-8': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /** Create a split with examples of this dataset */
  createDatasetSplit: {
    parameters: {
      path: {
        /** Global ID or exact name of the dataset. */
        dataset_identifier: string;
      };
    };
    requestBody: {
      content: {
        'application/json': {
          /** Unique among the splits of all datasets. */
          name: string;
          description?: string | null;
          color?: string;
          metadata?: Record<string, unknown>;
          /** Global IDs of examples. */
          example_ids?: (string)[];
        };
      };
    };
    responses: {
      201: {
        content: {
          'application/json': {
            data: DatasetSplit;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      409: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /** Change a split, or its examples of this dataset */
  updateDatasetSplit: {
    parameters: {
      path: {
        /** Global ID or exact name of the dataset. */
        dataset_identifier: string;
        /** Global ID of the split. */
        split_id: string;
      };
    };
    requestBody: {
      content: {
        'application/json': {
          name?: string | null;
          /** Null removes it. */
          description?: string | null;
          color?: string | null;
          /** Replaces the stored metadata. */
          metadata?: Record<string, unknown> | null;
          /** Global IDs of examples. */
          add_example_ids?: (string)[];
          /** Global IDs of examples. An example that is both added and removed is removed. */
          remove_example_ids?: (string)[];
        };
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: DatasetSplit;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      409: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /**
   * Delete a split from all datasets
   * Its examples stay.
   */
  deleteDatasetSplit: {
    parameters: {
      path: {
        /** Global ID or exact name of the dataset. */
        dataset_identifier: string;
        /** Global ID of the split. */
        split_id: string;
      };
    };
    responses: {
      204: {
        content?: never;
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Add spans to a dataset by a mapping
   * Adds an example for each span as one new version, all of them or none. A request that the client ends adds nothing. With `dry_run`, the examples are only counted.
   */
  addSpansAsExamples: {
    parameters: {
      path: {
        /** Global ID or exact name of the dataset. */
        dataset_identifier: string;
      };
    };
    requestBody: {
      content: {
        'application/json': {
          /** Global IDs of spans. */
          span_ids: (string)[];
          mapping?: {
            input?: ({
              name: string;
              path: string;
            })[] | null;
            output?: ({
              name: string;
              path: string;
            })[] | null;
            metadata?: ({
              name: string;
              path: string;
            })[] | null;
          };
          /** Names of splits, created when they are absent. */
          splits?: (string)[];
          description?: string | null;
          /** Also adds examples whose span or content the dataset has. */
          keep_repeated?: boolean;
          dry_run?: boolean;
        };
      };
    };
    responses: {
      200: {
        content: {
          'application/x-ndjson': string;
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /**
   * Add the new matches of a saved source to its dataset
   * Adds the spans that match and have arrived since the last use, in the order of their arrival, at most 20000. A request that the client ends adds nothing.
   */
  addNewMatchesOfSource: {
    parameters: {
      path: {
        /** Global ID of the source. */
        source_id: string;
      };
    };
    requestBody: {
      content: {
        'application/json': {
          /** Also adds examples whose span or content the dataset has. */
          keep_repeated?: boolean;
        };
      };
    };
    responses: {
      200: {
        content: {
          'application/x-ndjson': string;
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /** List labels of datasets, newest first */
  listDatasetLabels: {
    parameters: {
      query?: {
        /** `next_cursor` of the previous page. It names the first row of this page. */
        cursor?: string;
        /** Rows of the page. A page holds at most 1000. */
        limit?: number;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (DatasetLabel)[];
            /** Cursor of the next page. Null on the last page. */
            next_cursor: string | null;
          };
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /** Create a label */
  createDatasetLabel: {
    parameters: Record<never, never>;
    requestBody: {
      content: {
        'application/json': {
          /** Unique. */
          name: string;
          /** `#rrggbb` in lower case. */
          color: string;
          description?: string | null;
        };
      };
    };
    responses: {
      201: {
        content: {
          'application/json': {
            data: DatasetLabel;
          };
        };
      };
      409: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /** Read a label */
  getDatasetLabel: {
    parameters: {
      path: {
        /** Global ID of the label. */
        label_id: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: DatasetLabel;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /** Change a label */
  updateDatasetLabel: {
    parameters: {
      path: {
        /** Global ID of the label. */
        label_id: string;
      };
    };
    requestBody: {
      content: {
        'application/json': {
          name?: string | null;
          color?: string | null;
          /** Null removes it. */
          description?: string | null;
        };
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: DatasetLabel;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      409: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /** Delete a label from all datasets */
  deleteDatasetLabel: {
    parameters: {
      path: {
        /** Global ID of the label. */
        label_id: string;
      };
    };
    responses: {
      204: {
        content?: never;
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /** List the labels of a dataset */
  listLabelsOfDataset: {
    parameters: {
      path: {
        /** Global ID or exact name of the dataset. */
        dataset_identifier: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (DatasetLabel)[];
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /** Replace the labels of a dataset */
  setLabelsOfDataset: {
    parameters: {
      path: {
        /** Global ID or exact name of the dataset. */
        dataset_identifier: string;
      };
    };
    requestBody: {
      content: {
        'application/json': {
          /** Global IDs of labels. */
          dataset_label_ids?: (string)[];
        };
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (DatasetLabel)[];
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /** Add a label to a dataset */
  addLabelToDataset: {
    parameters: {
      path: {
        /** Global ID or exact name of the dataset. */
        dataset_identifier: string;
        /** Global ID of the label. */
        label_id: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: DatasetLabel;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /** Remove a label from a dataset */
  removeLabelFromDataset: {
    parameters: {
      path: {
        /** Global ID or exact name of the dataset. */
        dataset_identifier: string;
        /** Global ID of the label. */
        label_id: string;
      };
    };
    responses: {
      204: {
        content?: never;
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Create an experiment on the examples of a dataset
   * The experiment uses the examples of the given version, and gets a project for the traces of its runs. Later changes of the dataset do not affect it.
   */
  createExperiment: {
    parameters: {
      path: {
        /** Global ID of the dataset. */
        dataset_id: string;
      };
    };
    requestBody: {
      content: {
        'application/json': {
          /** Default: derived from the name of the dataset. */
          name?: string | null;
          description?: string | null;
          metadata?: Record<string, unknown> | null;
          /** Global ID. Default: the latest version. */
          version_id?: string | null;
          /** Names or global IDs. If absent or empty, the experiment uses all examples. */
          splits?: (string)[] | null;
          repetitions?: number;
        };
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: Experiment;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /** List the experiments of a dataset, newest first */
  listExperiments: {
    parameters: {
      query?: {
        /** `next_cursor` of the previous page. It names the first row of this page. */
        cursor?: string;
        /** Rows of the page. A page holds at most 1000. */
        limit?: number;
      };
      path: {
        /** Global ID of the dataset. */
        dataset_id: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (Experiment)[];
            /** Cursor of the next page. Null on the last page. */
            next_cursor: string | null;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /** Read an experiment */
  getExperiment: {
    parameters: {
      path: {
        /** Global ID of the experiment. */
        experiment_id: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: Experiment;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /** Change the name, description or metadata of an experiment */
  updateExperiment: {
    parameters: {
      path: {
        /** Global ID of the experiment. */
        experiment_id: string;
      };
    };
    requestBody: {
      content: {
        'application/json': {
          name?: string;
          /** Null removes it. */
          description?: string | null;
          /** Replaces the stored metadata. */
          metadata?: Record<string, unknown>;
        };
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: Experiment;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /** Delete an experiment with its runs and evaluations */
  deleteExperiment: {
    parameters: {
      query?: {
        /** Also delete the project with the traces of its runs. */
        delete_project?: boolean;
      };
      path: {
        /** Global ID of the experiment. */
        experiment_id: string;
      };
    };
    responses: {
      204: {
        content?: never;
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /** Download the runs of an experiment with their evaluations as JSON */
  downloadExperimentJson: {
    parameters: {
      path: {
        /** Global ID of the experiment. */
        experiment_id: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': string;
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Download the runs of an experiment with their evaluations as CSV
   * Cells contain the stored values unchanged. A text that starts with `=`, `+`, `-` or `@` may be run as a formula by a spreadsheet, so import the columns of untrusted runs as text.
   */
  downloadExperimentCsv: {
    parameters: {
      path: {
        /** Global ID of the experiment. */
        experiment_id: string;
      };
    };
    responses: {
      200: {
        content: {
          'text/csv': string;
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Download the rows of a comparison of experiments as CSV
   * A line per example and repetition, with the outputs, errors, latencies, costs and scores of each experiment. Texts have at most 2,000 characters. A text that a spreadsheet would run as a formula starts with an apostrophe.
   */
  getExperimentComparisonCsv: {
    parameters: {
      query: {
        /** Global IDs of 2 to 8 experiments of a dataset, the baseline first. */
        experiment_id: (string)[];
        /** Only examples that are in one of these splits now. */
        split_id?: (string)[];
        /** Key of a measure, such as `score:correctness` or `latencyMs`, or `first`: the first score with a direction, else the latency. Default: the order of the dataset. */
        sort?: string;
        /** Sorts by the difference of this experiment to the baseline. Default: the worst of all. */
        sort_experiment_id?: string;
        /** `asc`: the largest regression first. */
        order?: "asc" | "desc";
        /** Key of a measure on which the example is worse than the one of the baseline. */
        regressed_on?: string;
        /** Key of a measure on which the example is better than the one of the baseline. */
        improved_on?: string;
        /** Limits the other conditions to this experiment. Default: any experiment. */
        filter_experiment_id?: string;
        /** Only examples with a failed run, or only those without. */
        has_error?: boolean;
        /** Only examples that an experiment has not run, or has. */
        is_missing?: boolean;
        /** Only examples with a run that took longer. */
        slower_than_ms?: string;
        /** Name of a score on which the annotators of a run disagree. */
        disagree_on?: string;
        /** A filter of runs, such as `experiments[0].latency_ms > 1000`. */
        condition?: string;
        /** Part of the input, the reference output, an output or an error. Case is ignored. */
        text?: string;
      };
    };
    responses: {
      200: {
        content: {
          'text/csv': string;
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Download a report of a comparison of experiments as one HTML file
   * Contains the summary with 95 % intervals, notices, differences by group and the largest regressions with their texts. The file has no scripts and requests nothing.
   */
  getExperimentComparisonReport: {
    parameters: {
      query: {
        /** Global IDs of 2 to 8 experiments of a dataset, the baseline first. */
        experiment_id: (string)[];
        /** Only examples that are in one of these splits now. */
        split_id?: (string)[];
        /** Key of a measure, such as `score:correctness` or `latencyMs`, or `first`: the first score with a direction, else the latency. Default: the order of the dataset. */
        sort?: string;
        /** Sorts by the difference of this experiment to the baseline. Default: the worst of all. */
        sort_experiment_id?: string;
        /** `asc`: the largest regression first. */
        order?: "asc" | "desc";
        /** Key of a measure on which the example is worse than the one of the baseline. */
        regressed_on?: string;
        /** Key of a measure on which the example is better than the one of the baseline. */
        improved_on?: string;
        /** Limits the other conditions to this experiment. Default: any experiment. */
        filter_experiment_id?: string;
        /** Only examples with a failed run, or only those without. */
        has_error?: boolean;
        /** Only examples that an experiment has not run, or has. */
        is_missing?: boolean;
        /** Only examples with a run that took longer. */
        slower_than_ms?: string;
        /** Name of a score on which the annotators of a run disagree. */
        disagree_on?: string;
        /** A filter of runs, such as `experiments[0].latency_ms > 1000`. */
        condition?: string;
        /** Part of the input, the reference output, an output or an error. Case is ignored. */
        text?: string;
        /** Also groups by the values of this key of the examples' metadata. */
        metadata_key?: string;
      };
    };
    responses: {
      200: {
        content: {
          'text/html': string;
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Store a run
   * Replaces a failed run of the same example and repetition. The trace of the run need not be stored. A JSON array of up to 1000 such bodies is a batch: the response is 200, and `data` has the status of each item in order. An item that is rejected does not stop the others.
   */
  createExperimentRun: {
    parameters: {
      path: {
        /** Global ID of the experiment. */
        experiment_id: string;
      };
    };
    requestBody: {
      content: {
        'application/json': {
          /** Global ID of an example of the experiment. */
          dataset_example_id: string;
          /** Output of the task. Null is allowed. */
          output: unknown;
          /** Number of the repetition, from 1. */
          repetition_number: number;
          start_time: string;
          end_time: string;
          trace_id?: string | null;
          error?: string | null;
        } | ({
          /** Global ID of an example of the experiment. */
          dataset_example_id: string;
          /** Output of the task. Null is allowed. */
          output: unknown;
          /** Number of the repetition, from 1. */
          repetition_number: number;
          start_time: string;
          end_time: string;
          trace_id?: string | null;
          error?: string | null;
        })[];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: {
              /** Global ID. */
              id: string;
            };
          } | {
            data: (ItemResult)[];
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      409: {
        content: {
          'text/plain': string;
        };
      };
      413: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /** List the runs of an experiment, newest first */
  listExperimentRuns: {
    parameters: {
      query?: {
        /** `next_cursor` of the previous page. It names the first row of this page. */
        cursor?: string;
        /** Rows of the page. Default: all rows. */
        limit?: number;
      };
      path: {
        /** Global ID of the experiment. */
        experiment_id: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (ExperimentRun)[];
            /** Cursor of the next page. Null on the last page. */
            next_cursor: string | null;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /** List examples whose repetitions have not all succeeded */
  listIncompleteRuns: {
    parameters: {
      query?: {
        /** `next_cursor` of the previous page. It names the first row of this page. */
        cursor?: string;
        /** Rows of the page. A page holds at most 1000. */
        limit?: number;
      };
      path: {
        /** Global ID of the experiment. */
        experiment_id: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (IncompleteRun)[];
            /** Cursor of the next page. Null on the last page. */
            next_cursor: string | null;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /** List successful runs that lack a successful evaluation of these names */
  listIncompleteEvaluations: {
    parameters: {
      query?: {
        /** Names of evaluations. */
        evaluation_name?: (string)[];
        /** `next_cursor` of the previous page. It names the first row of this page. */
        cursor?: string;
        /** Rows of the page. A page holds at most 1000. */
        limit?: number;
      };
      path: {
        /** Global ID of the experiment. */
        experiment_id: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (IncompleteEvaluation)[];
            /** Cursor of the next page. Null on the last page. */
            next_cursor: string | null;
          };
        };
      };
      400: {
        content: {
          'text/plain': string;
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Store an evaluation of a run, replacing one of the same name
   * A JSON array of up to 1000 such bodies is a batch: the response is 200, and `data` has the status of each item in order. An item that is rejected does not stop the others.
   */
  upsertExperimentEvaluation: {
    parameters: Record<never, never>;
    requestBody: {
      content: {
        'application/json': {
          /** Global ID. */
          experiment_run_id: string;
          name: string;
          annotator_kind: "LLM" | "CODE" | "HUMAN";
          start_time: string;
          end_time: string;
          result?: {
            label?: string | null;
            score?: number | null;
            explanation?: string | null;
            metadata?: unknown | null;
          } | null;
          error?: string | null;
          metadata?: Record<string, unknown> | null;
          trace_id?: string | null;
        } | ({
          /** Global ID. */
          experiment_run_id: string;
          name: string;
          annotator_kind: "LLM" | "CODE" | "HUMAN";
          start_time: string;
          end_time: string;
          result?: {
            label?: string | null;
            score?: number | null;
            explanation?: string | null;
            metadata?: unknown | null;
          } | null;
          error?: string | null;
          metadata?: Record<string, unknown> | null;
          trace_id?: string | null;
        })[];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: {
              /** Global ID. */
              id: string;
            };
          } | {
            data: (ItemResult)[];
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      413: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /** List the tags of an experiment by name */
  listExperimentTags: {
    parameters: {
      path: {
        /** Global ID of the experiment. */
        experiment_id: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: (ExperimentTag)[];
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Tag an experiment
   * A tag belongs to one experiment of a dataset. If another experiment has it, it is moved.
   */
  tagExperiment: {
    parameters: {
      path: {
        /** Global ID of the experiment. */
        experiment_id: string;
      };
    };
    requestBody: {
      content: {
        'application/json': {
          name: string;
          description?: string | null;
        };
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: ExperimentTag;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
          'text/plain': string;
        };
      };
    };
  };
  /** Remove a tag from an experiment */
  untagExperiment: {
    parameters: {
      path: {
        /** Global ID of the experiment. */
        experiment_id: string;
        /** Name of the tag. */
        tag_identifier: string;
      };
    };
    responses: {
      204: {
        content?: never;
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Recompute the costs of stored spans
   * Spans are priced when they arrive and keep that cost. This request prices stored spans again by the current model prices, in the background. Spans of models without a price then have no cost.
   */
  recomputeCosts: {
    parameters: Record<never, never>;
    requestBody: {
      content: {
        'application/json': {
          project_identifier?: string | null;
        };
      };
    };
    responses: {
      202: {
        content: {
          'application/json': {
            data: CostRecomputation;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
      409: {
        content: {
          'text/plain': string;
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /** Read the progress of a cost recomputation */
  getCostRecomputation: {
    parameters: {
      path: {
        /** ID from the response to the request that started it. */
        recomputation_id: string;
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: CostRecomputation;
          };
        };
      };
      404: {
        content: {
          'text/plain': string;
        };
      };
    };
  };
  /**
   * Store and delete secrets
   * Stores the secrets with a value and deletes those with null, all of them or none. Of several changes of a key the last counts. Values are encrypted and never returned.
   */
  upsertOrDeleteSecrets: {
    parameters: Record<never, never>;
    requestBody: {
      content: {
        'application/json': {
          secrets: ({
            /** Such as `OPENAI_API_KEY`. */
            key: string;
            /** Null deletes the secret. */
            value: string | null;
            /** Hosts that may receive the value, with `*.` at the start for all subdomains. Absent: a stored secret keeps its hosts. Null: any host. */
            hosts?: (string)[] | null;
          })[];
        };
      };
    };
    responses: {
      200: {
        content: {
          'application/json': {
            data: {
              upserted_keys: (string)[];
              deleted_keys: (string)[];
            };
          };
        };
      };
      422: {
        content: {
          'application/json': ValidationError;
        };
      };
    };
  };
  /**
   * Call a model as OpenAI does
   * Calls a model with the credentials of the server, and records a span in the project `playground`. With `stream`, the response is a stream of server-sent events. Clients of OpenAI work with the base URL `<server>/v1`. It is not meant for production traffic.
   */
  createChatCompletion: {
    parameters: Record<never, never>;
    requestBody: {
      content: {
        'application/json': {
          /** `<provider>:<model>`, or `custom:<ID of a custom provider>:<model>`. */
          model: string;
          messages: ({
            role: "system" | "developer" | "user" | "assistant";
            content: string | ({
              type: "text";
              text: string;
            })[];
          })[];
          stream?: boolean | null;
          stream_options?: {
            include_usage?: boolean | null;
          } | null;
          temperature?: number | null;
          top_p?: number | null;
          max_tokens?: number | null;
          max_completion_tokens?: number | null;
          stop?: string | (string)[] | null;
          frequency_penalty?: number | null;
          presence_penalty?: number | null;
          seed?: number | null;
          n?: number | null;
          tools?: unknown | null;
          tool_choice?: unknown | null;
          response_format?: Record<string, unknown> | null;
        };
      };
    };
    responses: {
      200: {
        content: {
          'application/json': Record<string, unknown>;
        };
      };
      400: {
        content: {
          'application/json': ChatCompletionError;
        };
      };
      404: {
        content: {
          'application/json': ChatCompletionError;
        };
      };
      422: {
        content: {
          'application/json': ChatCompletionError;
        };
      };
      502: {
        content: {
          'application/json': ChatCompletionError;
        };
      };
      503: {
        content: {
          'application/json': ChatCompletionError;
        };
      };
    };
  };
}

export type AnnotationConfig = {
  type: "CATEGORICAL";
  name: string;
  description: string | null;
  /** Global ID. Its type depends on the type of the config. */
  id: string;
  optimization_direction: "MINIMIZE" | "MAXIMIZE" | "NONE";
  values: ({
    label: string;
    score: number | null;
  })[];
} | {
  type: "CONTINUOUS";
  name: string;
  description: string | null;
  /** Global ID. Its type depends on the type of the config. */
  id: string;
  optimization_direction: "MINIMIZE" | "MAXIMIZE" | "NONE";
  lower_bound: number | null;
  upper_bound: number | null;
} | {
  type: "FREEFORM";
  name: string;
  description: string | null;
  /** Global ID. Its type depends on the type of the config. */
  id: string;
  optimization_direction: "MINIMIZE" | "MAXIMIZE" | "NONE" | null;
  threshold: number | null;
  lower_bound: number | null;
  upper_bound: number | null;
};

export type AnthropicParameters = {
  max_tokens: number;
  temperature?: number;
  top_p?: number;
  stop_sequences?: (string)[];
  output_config?: {
    effort?: "low" | "medium" | "high" | "xhigh" | "max";
  };
  thinking?: {
    type: "disabled";
  } | {
    type: "enabled";
    budget_tokens: number;
    display?: "summarized" | "omitted";
  } | {
    type: "adaptive";
    display?: "summarized" | "omitted";
  };
  /** Further fields of the vendor. */
  extra_body?: Record<string, unknown>;
};

/** One field is set, and all others are null. */
export type AnyValue = {
  array_value: {
    values: (unknown)[];
  } | null;
  bool_value: boolean | null;
  bytes_value: string | null;
  double_value: number | null;
  int_value: number | null;
  kvlist_value: null;
  string_value: string | null;
};

export type ApiKey = {
  /** Global ID. */
  id: string;
  name: string;
  description?: string;
  created_at: string;
  expires_at?: string;
  last_used_at?: string;
  /** The last four characters of the key. */
  last_characters: string;
  /** ALL: as the owner. READ: only reads. SEND: only sends spans. SCIM: only provisions users; for system keys. */
  scope: "ALL" | "READ" | "SEND" | "SCIM";
  /** Names of the only projects that the key reaches. Absent: all of its owner. */
  projects?: (string)[];
};

export type ApiKeyOfUser = {
  /** Global ID. */
  id: string;
  name: string;
  description?: string;
  created_at: string;
  expires_at?: string;
  last_used_at?: string;
  /** The last four characters of the key. */
  last_characters: string;
  /** ALL: as the owner. READ: only reads. SEND: only sends spans. SCIM: only provisions users; for system keys. */
  scope: "ALL" | "READ" | "SEND" | "SCIM";
  /** Names of the only projects that the key reaches. Absent: all of its owner. */
  projects?: (string)[];
  user: {
    id: string;
    username: string;
    email: string | null;
  };
};

export type AuditEntry = {
  /** Global ID. */
  id: string;
  happened_at: string;
  username: string | null;
  user_id: string | null;
  credential: string;
  remote_address: string | null;
  action: string;
  outcome: "DONE" | "DENIED";
  target: {
    kind: string;
    id: string | null;
    name: string | null;
  };
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
};

export type AwsParameters = {
  max_tokens?: number;
  temperature?: number;
  top_p?: number;
  stop_sequences?: (string)[];
};

export type ChatCompletionError = {
  error: {
    message: string;
    type: "invalid_request_error" | "api_error";
    param: null;
    code: string | null;
  };
};

export type CostRecomputation = {
  id: string;
  project_id: string | null;
  /** 0 to 1. */
  progress: number;
  created_at: string;
  ended_at: string | null;
};

export type CreatedApiKey = {
  /** Global ID. */
  id: string;
  name: string;
  description?: string;
  created_at: string;
  expires_at?: string;
  last_used_at?: string;
  /** The last four characters of the key. */
  last_characters: string;
  /** ALL: as the owner. READ: only reads. SEND: only sends spans. SCIM: only provisions users; for system keys. */
  scope: "ALL" | "READ" | "SEND" | "SCIM";
  /** Names of the only projects that the key reaches. Absent: all of its owner. */
  projects?: (string)[];
  /** The key, which is shown only now. */
  key: string;
};

export type Dataset = {
  /** Global ID. */
  id: string;
  name: string;
  description: string | null;
  metadata: Record<string, unknown>;
  created_at: string;
  updated_at: string;
  /** Number of examples in the latest version. */
  example_count: number;
};

export type DatasetExample = {
  /** The external ID of the example if it has one, else its global ID. */
  id: string;
  /** Global ID. */
  node_id: string;
  input: Record<string, unknown>;
  output: Record<string, unknown>;
  metadata: Record<string, unknown>;
  /** Time at which this content was stored. */
  updated_at: string;
  /** The span from which the example was created. Null if there is none, or if it was deleted. */
  source: {
    span_id: string;
    /** Global ID. */
    span_node_id: string;
  } | null;
};

export type DatasetExamples = {
  dataset_id: string;
  version_id: string;
  /** Names of the requested splits. */
  filtered_splits: (string)[];
  examples: (DatasetExample)[];
};

export type DatasetFileUpload = {
  /** Null if nothing was stored. */
  stored: StoredUpload | null;
  plan: UploadPlan;
  /** Rows that are not examples. */
  rejected_count: number;
  rejected_rows: ({
    /** Line on which the row starts, from 1. For Parquet, the number of the row. */
    line: number;
    reason: string;
    /** The row, cut to a limit. */
    text: string;
  })[];
};

export type DatasetLabel = {
  /** Global ID. */
  id: string;
  name: string;
  description: string | null;
  /** `#rrggbb` in lower case. */
  color: string;
};

export type DatasetSpans = {
  action?: "create" | "append" | "update";
  /** Name of the dataset. It is created if it does not exist. */
  name: string;
  /** Used when the upload creates the dataset. */
  description?: string;
  /** Name or global ID. */
  project: string;
  /** A span filter. Default: all spans of the project. */
  filter?: string;
};

export type DatasetSplit = {
  /** Global ID. */
  id: string;
  name: string;
  description: string | null;
  color: string;
  metadata: Record<string, unknown>;
  /** Number of examples of this dataset. */
  example_count: number;
  created_at: string;
  updated_at: string;
};

export type DatasetUpload = {
  /** Global ID. */
  dataset_id: string;
  /** Global ID of the version that the upload created, or of the latest version if nothing changed. */
  version_id: string;
  num_created_examples: number;
  /** Examples whose content or splits changed. */
  num_updated_examples: number;
  num_deleted_examples: number;
};

export type DatasetUploadState = {
  phase: "receiving" | "reading" | "writing" | "stored" | "planned" | "failed";
  /** Rows read so far. */
  row_count: number;
  /** Why it failed. Then nothing is stored. */
  problem: string | null;
  stored: StoredUpload | null;
};

export type DatasetVersion = {
  /** Global ID. */
  version_id: string;
  description: string | null;
  metadata: Record<string, unknown>;
  created_at: string;
};

export type ExampleChange = {
  id: string;
  node_id: string;
  change: "added" | "revised" | "removed";
  before: ExampleContent | null;
  after: ExampleContent | null;
};

export type ExampleContent = {
  input: Record<string, unknown>;
  output: Record<string, unknown>;
  metadata: Record<string, unknown>;
};

export type Experiment = {
  /** Global ID. */
  id: string;
  dataset_id: string;
  dataset_version_id: string;
  name: string;
  description: string | null;
  repetitions: number;
  metadata: Record<string, unknown>;
  project_name: string | null;
  created_at: string;
  updated_at: string;
  /** Number of examples that the experiment uses. */
  example_count: number;
  successful_run_count: number;
  failed_run_count: number;
  missing_run_count: number;
};

export type ExperimentRun = {
  /** Global ID. */
  id: string;
  experiment_id: string;
  /** Global ID of an example of the experiment. */
  dataset_example_id: string;
  /** Output of the task. Null is allowed. */
  output: unknown;
  /** Number of the repetition, from 1. */
  repetition_number: number;
  start_time: string;
  end_time: string;
  trace_id: string | null;
  error: string | null;
};

export type ExperimentTag = {
  /** Global ID. */
  id: string;
  name: string;
  description: string | null;
};

export type GoogleParameters = {
  temperature?: number;
  max_output_tokens?: number;
  stop_sequences?: (string)[];
  presence_penalty?: number;
  frequency_penalty?: number;
  top_p?: number;
  top_k?: number;
  thinking_config?: {
    thinking_budget?: number;
    thinking_level?: "minimal" | "low" | "medium" | "high";
    include_thoughts?: boolean;
  };
};

export type ImportedSpans = {
  received_span_count: number;
  stored_span_count: number;
  /** Spans that are already stored, in any project, or occur twice in the file. */
  repeated_span_count: number;
  refused_span_count: number;
  /** Added annotations. */
  annotation_count: number;
  /** The first rejected lines or rows. */
  refusals: ({
    /** Number of the line, from 1. For Parquet, of the row. */
    line: number;
    reason: string;
  })[];
};

export type IncompleteEvaluation = {
  experiment_run: ExperimentRun;
  dataset_example: DatasetExample;
  evaluation_names: (string)[];
};

export type IncompleteRun = {
  dataset_example: DatasetExample;
  repetition_numbers: (number)[];
};

export type ItemResult = {
  /** Status that a request with this item alone would get. */
  status: number;
  data?: {
    /** Global ID. */
    id: string;
  };
  /** Code of the error. */
  code?: string;
  /** Text of the error, or the list of issues of the item. */
  detail?: unknown;
};

export type NewAnnotationConfig = {
  type: "CATEGORICAL";
  name: string;
  description?: string | null;
  optimization_direction: "MINIMIZE" | "MAXIMIZE" | "NONE";
  values: ({
    label: string;
    score?: number | null;
  })[];
} | {
  type: "CONTINUOUS";
  name: string;
  description?: string | null;
  optimization_direction: "MINIMIZE" | "MAXIMIZE" | "NONE";
  lower_bound?: number | null;
  upper_bound?: number | null;
} | {
  type: "FREEFORM";
  name: string;
  description?: string | null;
  optimization_direction?: "MINIMIZE" | "MAXIMIZE" | "NONE" | null;
  threshold?: number | null;
  lower_bound?: number | null;
  upper_bound?: number | null;
};

export type NewDataset = {
  action?: "create" | "append" | "update";
  name: string;
  /** Used when the upload creates the dataset. */
  description?: string;
  inputs: (Record<string, unknown>)[];
  outputs?: (Record<string, unknown>)[];
  metadata?: (Record<string, unknown>)[];
  /** Names, lists of names, or null. */
  splits?: (string | null)[];
  span_ids?: (string | null)[];
  example_ids?: (string | null)[];
};

export type NewSpan = {
  name: string;
  context: {
    trace_id: string;
    span_id: string;
  };
  /** A span kind of OpenInference. Any other text stays in the attributes. */
  span_kind: string;
  parent_id?: string | null;
  /** With an offset or `Z`. */
  start_time: string;
  /** With an offset or `Z`. */
  end_time: string;
  /** `OK`, `ERROR` or `UNSET`. */
  status_code: string;
  status_message?: string;
  /** Dotted keys, nested objects, or both. */
  attributes?: Record<string, unknown>;
  events?: ({
    name: string;
    timestamp: string;
    attributes?: Record<string, unknown>;
  })[];
};

export type OpenAIParameters = {
  temperature?: number;
  max_tokens?: number;
  max_completion_tokens?: number;
  frequency_penalty?: number;
  presence_penalty?: number;
  top_p?: number;
  seed?: number;
  stop?: (string)[];
  reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh";
  /** Further fields of the vendor. */
  extra_body?: Record<string, unknown>;
};

export type OtlpSpan = {
  attributes: ({
    key: string;
    value: AnyValue;
  })[];
  dropped_attributes_count: null;
  dropped_events_count: null;
  dropped_links_count: null;
  /** Exceeds 2^53, so a parser must read it exactly. */
  start_time_unix_nano: number;
  end_time_unix_nano: number;
  events: ({
    name: string;
    attributes: ({
      key: string;
      value: AnyValue;
    })[];
    time_unix_nano: number | null;
    dropped_attributes_count: null;
  })[] | null;
  flags: null;
  links: null;
  trace_state: null;
  kind: "SPAN_KIND_INTERNAL";
  name: string;
  trace_id: string;
  span_id: string;
  parent_span_id: string | null;
  status: {
    code: number;
    message: string | null;
  };
};

export type ParquetPreview = {
  columns: ({
    name: string;
    type: string;
  })[];
  row_count: number;
  /** The first rows as texts of JSON objects. Null if they are in the bytes that were not sent. */
  rows: (string)[] | null;
};

export type Project = {
  name: string;
  description: string | null;
  /** Global ID. */
  id: string;
};

export type ProjectAccess = {
  /** Whether only members and administrators find the project. */
  is_private: boolean;
  /** False while sign-in is off. Then a private project is open. */
  is_enforced: boolean;
  /** READER: reads. EDITOR: also writes. OWNER: also manages the access. */
  level: "READER" | "EDITOR" | "OWNER";
  members: (ProjectMember)[];
};

export type ProjectMember = {
  user: {
    id: string;
    username: string;
    email: string | null;
  } | null;
  group: string | null;
  /** READER: reads. EDITOR: also writes. OWNER: also manages the access. */
  level: "READER" | "EDITOR" | "OWNER";
};

export type Prompt = {
  name: string;
  description: string | null;
  /** The prompt from which this one was cloned. */
  source_prompt_id: string | null;
  metadata: Record<string, unknown>;
  /** Global ID. */
  id: string;
};

export type PromptDifference = {
  /** Path such as `template.messages[0].content`. */
  path: string;
  kind: "ADDED" | "REMOVED" | "CHANGED";
  /** Null if the field did not exist. */
  before: unknown;
  /** Null if the field does not exist. */
  after: unknown;
};

export type PromptVersion = {
  /** Global ID. */
  id: string;
  description: string;
  model_provider: "OPENAI" | "AZURE_OPENAI" | "ANTHROPIC" | "GOOGLE" | "DEEPSEEK" | "XAI" | "OLLAMA" | "AWS" | "CEREBRAS" | "FIREWORKS" | "GROQ" | "MOONSHOT" | "PERPLEXITY" | "TOGETHER";
  model_name: string;
  template: {
    type: "chat";
    messages: ({
      role: "user" | "assistant" | "model" | "ai" | "tool" | "system" | "developer";
      content: string | ({
        type: "text";
        text: string;
      } | {
        type: "tool_call";
        tool_call_id: string;
        tool_call: {
          type: "function";
          name: string;
          /** JSON text. */
          arguments: string;
        };
      } | {
        type: "tool_result";
        tool_call_id: string;
        tool_result: unknown;
      } | {
        type: "image";
        image: {
          /** A URL, which may be a `data:` URL. */
          url: string;
        };
      })[];
    })[];
  } | {
    type: "string";
    template: string;
  };
  template_type: "CHAT" | "STR";
  template_format: "MUSTACHE" | "F_STRING" | "NONE";
  invocation_parameters: {
    type: "openai";
    openai: OpenAIParameters;
  } | {
    type: "azure_openai";
    azure_openai: OpenAIParameters;
  } | {
    type: "deepseek";
    deepseek: OpenAIParameters;
  } | {
    type: "xai";
    xai: OpenAIParameters;
  } | {
    type: "ollama";
    ollama: OpenAIParameters;
  } | {
    type: "cerebras";
    cerebras: OpenAIParameters;
  } | {
    type: "fireworks";
    fireworks: OpenAIParameters;
  } | {
    type: "groq";
    groq: OpenAIParameters;
  } | {
    type: "moonshot";
    moonshot: OpenAIParameters;
  } | {
    type: "perplexity";
    perplexity: OpenAIParameters;
  } | {
    type: "together";
    together: OpenAIParameters;
  } | {
    type: "anthropic";
    anthropic: AnthropicParameters;
  } | {
    type: "google";
    google: GoogleParameters;
  } | {
    type: "aws";
    aws: AwsParameters;
  };
  tools?: {
    type: "tools";
    tools: ({
      type: "function";
      function: {
        name: string;
        description?: string;
        /** JSON schema. */
        parameters?: Record<string, unknown>;
        strict?: boolean;
      };
    } | {
      type: "raw";
      /** A tool of a vendor-specific kind. */
      raw: Record<string, unknown>;
    })[];
    tool_choice?: {
      type: "none";
    } | {
      type: "zero_or_more";
    } | {
      type: "one_or_more";
    } | {
      type: "specific_function";
      function_name: string;
    };
    disable_parallel_tool_calls?: boolean;
  };
  response_format?: {
    type: "json_schema";
    json_schema: {
      name: string;
      description?: string;
      /** JSON schema. */
      schema?: Record<string, unknown>;
      strict?: boolean;
    };
  };
};

export type PromptVersionData = {
  description?: string | null;
  model_provider: "OPENAI" | "AZURE_OPENAI" | "ANTHROPIC" | "GOOGLE" | "DEEPSEEK" | "XAI" | "OLLAMA" | "AWS" | "CEREBRAS" | "FIREWORKS" | "GROQ" | "MOONSHOT" | "PERPLEXITY" | "TOGETHER";
  model_name: string;
  template: {
    type: "chat";
    messages: ({
      role: "user" | "assistant" | "model" | "ai" | "tool" | "system" | "developer";
      content: string | ({
        type: "text";
        text: string;
      } | {
        type: "tool_call";
        tool_call_id: string;
        tool_call: {
          type: "function";
          name: string;
          /** JSON text. */
          arguments: string;
        };
      } | {
        type: "tool_result";
        tool_call_id: string;
        tool_result: unknown;
      } | {
        type: "image";
        image: {
          /** A URL, which may be a `data:` URL. */
          url: string;
        };
      })[];
    })[];
  } | {
    type: "string";
    template: string;
  };
  template_type: "CHAT" | "STR";
  template_format: "MUSTACHE" | "F_STRING" | "NONE";
  invocation_parameters: {
    type: "openai";
    openai: OpenAIParameters;
  } | {
    type: "azure_openai";
    azure_openai: OpenAIParameters;
  } | {
    type: "deepseek";
    deepseek: OpenAIParameters;
  } | {
    type: "xai";
    xai: OpenAIParameters;
  } | {
    type: "ollama";
    ollama: OpenAIParameters;
  } | {
    type: "cerebras";
    cerebras: OpenAIParameters;
  } | {
    type: "fireworks";
    fireworks: OpenAIParameters;
  } | {
    type: "groq";
    groq: OpenAIParameters;
  } | {
    type: "moonshot";
    moonshot: OpenAIParameters;
  } | {
    type: "perplexity";
    perplexity: OpenAIParameters;
  } | {
    type: "together";
    together: OpenAIParameters;
  } | {
    type: "anthropic";
    anthropic: AnthropicParameters;
  } | {
    type: "google";
    google: GoogleParameters;
  } | {
    type: "aws";
    aws: AwsParameters;
  };
  tools?: {
    type: "tools";
    tools: ({
      type: "function";
      function: {
        name: string;
        description?: string;
        /** JSON schema. */
        parameters?: Record<string, unknown>;
        strict?: boolean;
      };
    } | {
      type: "raw";
      /** A tool of a vendor-specific kind. */
      raw: Record<string, unknown>;
    })[];
    tool_choice?: {
      type: "none";
    } | {
      type: "zero_or_more";
    } | {
      type: "one_or_more";
    } | {
      type: "specific_function";
      function_name: string;
    };
    disable_parallel_tool_calls?: boolean;
  } | null;
  response_format?: {
    type: "json_schema";
    json_schema: {
      name: string;
      description?: string;
      /** JSON schema. */
      schema?: Record<string, unknown>;
      strict?: boolean;
    };
  } | null;
};

export type PromptVersionTag = {
  name: string;
  description?: string;
  /** Global ID. */
  id: string;
};

export type QueuedSpans = {
  total_received: number;
  total_queued: number;
};

export type RefusedSpans = {
  error: string;
  total_received: number;
  total_queued: number;
  total_duplicates: number;
  total_invalid: number;
  duplicate_spans: ({
    span_id: string;
    trace_id: string;
  })[];
  invalid_spans: ({
    span_id: string;
    trace_id: string;
    error: string;
  })[];
};

/** Texts of JSON. Long ones are cut. */
export type SampleContent = {
  input: string;
  output: string;
  metadata: string;
};

export type Session = {
  /** Global ID. */
  id: string;
  /** The session ID of the application. */
  session_id: string;
  project_id: string;
  start_time: string;
  end_time: string;
  /** Traces by start time. */
  traces: ({
    /** Global ID. */
    id: string;
    trace_id: string;
    start_time: string;
    end_time: string;
  })[];
  /** Prompt tokens of its LLM spans. */
  token_count_prompt: number;
  token_count_completion: number;
  token_count_total: number;
};

export type SessionAnnotation = {
  /** Global ID. */
  id: string;
  created_at: string;
  updated_at: string;
  source: "API" | "APP";
  /** Global ID of the author. */
  user_id: string | null;
  name: string;
  annotator_kind: "LLM" | "CODE" | "HUMAN";
  result: {
    label: string | null;
    score: number | null;
    explanation: string | null;
  };
  metadata: Record<string, unknown>;
  identifier: string;
  /** Session ID of the application. */
  session_id: string;
};

export type Span = {
  /** Global ID. */
  id: string;
  name: string;
  context: {
    trace_id: string;
    span_id: string;
  };
  /** The attribute `openinference.span.kind` as it was sent; else `UNKNOWN`. */
  span_kind: string;
  parent_id: string | null;
  start_time: string;
  end_time: string;
  status_code: "UNSET" | "OK" | "ERROR";
  status_message: string;
  /** Flat: dotted keys. */
  attributes: Record<string, unknown>;
  events: ({
    name: string;
    timestamp: string;
    attributes: Record<string, unknown>;
  })[];
};

export type SpanAnnotation = {
  /** Global ID. */
  id: string;
  created_at: string;
  updated_at: string;
  source: "API" | "APP";
  /** Global ID of the author. */
  user_id: string | null;
  name: string;
  annotator_kind: "LLM" | "CODE" | "HUMAN";
  result: {
    label: string | null;
    score: number | null;
    explanation: string | null;
  };
  metadata: Record<string, unknown>;
  identifier: string;
  /** Span ID of OpenTelemetry. */
  span_id: string;
};

export type SpanOfTrace = {
  /** Global ID. */
  id: string;
  span_id: string;
  parent_id: string | null;
  name: string;
  span_kind: "UNKNOWN" | "LLM" | "CHAIN" | "TOOL" | "RETRIEVER" | "EMBEDDING" | "AGENT" | "RERANKER" | "EVALUATOR" | "GUARDRAIL" | "PROMPT";
  status_code: "UNSET" | "OK" | "ERROR";
  start_time: string;
  end_time: string;
};

export type SpanQueries = {
  /** Queries. Each makes a table. */
  queries: ({
    select?: Record<string, unknown> | null;
    filter?: Record<string, unknown> | null;
    explode?: Record<string, unknown> | null;
    concat?: Record<string, unknown> | null;
    rename?: Record<string, unknown> | null;
    index?: Record<string, unknown> | null;
  })[];
  start_time?: string | null;
  end_time?: string | null;
  stop_time?: string | null;
  /** Maximum number of spans of each table. Negative for all. */
  limit?: number;
  root_spans_only?: boolean | null;
  orphan_span_as_root_span?: boolean | null;
  project_name?: string | null;
};

/** What the upload has stored. An example whose splits alone changed counts as updated. */
export type StoredUpload = {
  dataset_id: string;
  version_id: string;
  created: number;
  updated: number;
  deleted: number;
};

export type Trace = {
  /** Global ID. */
  id: string;
  trace_id: string;
  project_id: string;
  start_time: string;
  end_time: string;
  /** Prompt tokens of its LLM spans. */
  token_count_prompt: number;
  token_count_completion: number;
  token_count_total: number;
  /** Spans by start time. Null unless `include_spans`. */
  spans: (SpanOfTrace)[] | null;
};

export type TraceAnnotation = {
  /** Global ID. */
  id: string;
  created_at: string;
  updated_at: string;
  source: "API" | "APP";
  /** Global ID of the author. */
  user_id: string | null;
  name: string;
  annotator_kind: "LLM" | "CODE" | "HUMAN";
  result: {
    label: string | null;
    score: number | null;
    explanation: string | null;
  };
  metadata: Record<string, unknown>;
  identifier: string;
  /** Trace ID of OpenTelemetry. */
  trace_id: string;
};

/** What the rows of the file change, with the first examples of each kind. */
export type UploadPlan = {
  created_count: number;
  changed_count: number;
  deleted_count: number;
  unchanged_count: number;
  created: (UploadSample)[];
  changed: (UploadSample)[];
  deleted: (UploadSample)[];
};

export type UploadSample = {
  /** ID that a client assigned, else the global ID. Null for a new example without an ID. */
  id: string | null;
  before: SampleContent | null;
  after: SampleContent | null;
};

export type User = {
  /** Global ID. */
  id: string;
  username: string;
  /** Empty for an account of a directory without emails. */
  email: string;
  role: "SYSTEM" | "ADMIN" | "MEMBER" | "VIEWER";
  auth_method: "LOCAL" | "OAUTH2" | "LDAP";
  created_at: string;
  updated_at: string;
  /** Of a local account. */
  password_needs_reset?: boolean;
  oauth2_client_id?: string;
  oauth2_user_id?: string;
  profile_picture_url?: string;
};

export type ValidationError = {
  detail: ({
    /** Type of the problem: `missing`, `int_parsing`, `string_type` … */
    type: string;
    /** `query`, `path` or `body`, then the keys and indices that lead to the value. */
    loc: (string | number)[];
    msg: string;
    /** The received value. */
    input: unknown;
    ctx?: Record<string, unknown>;
  })[];
};
