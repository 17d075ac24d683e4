import { SpandrelError } from '../../../model/errors.ts';
import { toGlobalId } from '../../../model/global-id.ts';
import { type NewProject, type Project, type ProjectChanges, projectNameProblem } from '../../../model/project.ts';
import { clearProject } from '../../../domain/projects/clear-project.ts';
import { deleteProject } from '../../../domain/projects/delete-project.ts';
import { updateProject } from '../../../domain/projects/update-project.ts';
import { refuse } from '../arguments.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode } from '../node.ts';
import { projectRef, QUERY, type Resolvers } from '../resolvers.ts';

interface ProjectInput {
  readonly description?: string | null;
  readonly gradientStartColor?: string | null;
  readonly gradientEndColor?: string | null;
}

export const projectMutations: Resolvers = {
  async createProject(_source, { input }: { readonly input: ProjectInput & { readonly name: string } }, context) {
    const name = input.name.trim();
    if (name === '') refuse('Name cannot be empty');
    const problem = projectNameProblem(name);
    if (problem !== undefined) refuse(problem);
    const project = await createNamed(context, {
      name,
      ...toColors(input),
      description: input.description?.trim() || null,
    });
    return payload(project, context);
  },
  async patchProject(_source, { input }: { readonly input: ProjectInput & { readonly id: string } }, context) {
    const { description } = input;
    const project = await updateProject(context.domain, toGlobalId('Project', rowIdOfNode('Project', input.id)), {
      ...toColors(input),
      ...(description !== undefined && { description: description?.trim() || null }),
    });
    return payload(project, context);
  },
  async deleteProject(_source, args: { readonly id: string }, context: GraphqlContext) {
    await deleteProject(context.domain, toGlobalId('Project', rowIdOfNode('Project', args.id)));
    context.forgetReads();
    return QUERY;
  },
  async clearProject(_source, { input }: { readonly input: ClearProjectInput }, context: GraphqlContext) {
    const endTime = input.endTime ? BigInt(input.endTime) : undefined;
    await clearProject(context.domain, rowIdOfNode('Project', input.id), endTime);
    context.forgetReads();
    return QUERY;
  },
};

interface ClearProjectInput {
  readonly id: string;
  /** Decimal text of nanoseconds since the epoch. */
  readonly endTime?: string | null;
}

async function createNamed({ domain }: GraphqlContext, project: NewProject): Promise<Project> {
  try {
    return await domain.projects.create(project);
  } catch (error) {
    if (!(error instanceof SpandrelError) || error.code !== 'PROJECT_NAME_TAKEN') throw error;
    throw new SpandrelError(error.code, `Project with name '${project.name}' already exists`);
  }
}

const toColors = ({ gradientStartColor, gradientEndColor }: ProjectInput): ProjectChanges => ({
  gradientStartColor: gradientStartColor?.trim() || undefined,
  gradientEndColor: gradientEndColor?.trim() || undefined,
});

function payload(project: Project, context: GraphqlContext): object {
  context.forgetReads();
  context.loaders.projects.prime(project.rowId, project);
  return { project: projectRef(project.rowId), query: QUERY };
}
