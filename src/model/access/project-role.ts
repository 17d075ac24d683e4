/** What a person or group may do in a private project. Each role includes the ones before it. */
export const PROJECT_ROLES = ['READER', 'EDITOR', 'OWNER'] as const;
export type ProjectRole = (typeof PROJECT_ROLES)[number];
