import type { Project, ProjectChanges } from '../../../model/projects/project.ts';
import { withTexts } from '../../contract/error-texts.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode } from '../node.ts';
import { projectRef, QUERY, type Resolvers } from '../resolvers.ts';

interface ProjectInput {
  readonly description?: string | null;
  readonly gradientStartColor?: string | null;
  readonly gradientEndColor?: string | null;
}

interface NewProjectInput extends ProjectInput {
  readonly name: string;
  readonly isPrivate?: boolean | null;
}

export const projectMutations: Resolvers = {
  async createProject(_source, { input }: { readonly input: NewProjectInput }, context) {
    const { name, description = null } = input;
    const isPrivate = input.isPrivate ?? false;
    const taken = `Project with name '${name.trim()}' already exists`;
    const project = await withTexts({ PROJECT_NAME_TAKEN: taken }, () =>
      context.domain.projects.create({ name, ...toColors(input), description, isPrivate }, 'trimmed'),
    );
    return payload(project, context);
  },
  async patchProject(_source, { input }: { readonly input: ProjectInput & { readonly id: string } }, context) {
    const { description } = input;
    const ref = { rowId: rowIdOfNode('Project', input.id) };
    const project = await context.domain.projects.update(ref, { ...toColors(input), description }, 'trimmed');
    return payload(project, context);
  },
  async deleteProject(_source, args: { readonly id: string }, context: GraphqlContext) {
    await context.domain.projects.delete({ rowId: rowIdOfNode('Project', args.id) });
    context.invalidateReads();
    return QUERY;
  },
  async clearProject(_source, { input }: { readonly input: ClearProjectInput }, context: GraphqlContext) {
    const endTime = input.endTime ? BigInt(input.endTime) : undefined;
    await context.domain.projects.clear({ rowId: rowIdOfNode('Project', input.id) }, endTime);
    context.invalidateReads();
    return QUERY;
  },
};

interface ClearProjectInput {
  readonly id: string;
  /** Decimal text of nanoseconds since the epoch. */
  readonly endTime?: string | null;
}

const toColors = ({ gradientStartColor, gradientEndColor }: ProjectInput): ProjectChanges => ({
  gradientStartColor: gradientStartColor ?? undefined,
  gradientEndColor: gradientEndColor ?? undefined,
});

function payload(project: Project, context: GraphqlContext): object {
  context.invalidateReads();
  context.loaders.projects.prime(project.rowId, project);
  return { project: projectRef(project.rowId), query: QUERY };
}
