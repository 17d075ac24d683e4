import type { ProjectLevel } from '../../../model/projects/project-member.ts';
import { toGivenMember, toMemberRef } from '../../contract/project-member-ref.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode } from '../node.ts';
import { fromRow, type NodeRef, projectRef, QUERY, type Resolvers, userRef } from '../resolvers.ts';

const row = fromRow(({ projects }) => projects);

export const accessOfProject: Resolvers = {
  isPrivate: row(({ isPrivate }) => isPrivate),
  async access({ rowId }: NodeRef, _args, { domain, items }: GraphqlContext) {
    const { isEnforced, level, members } = await domain.projects.getAccess({ rowId });
    items.take(members.length);
    return {
      isEnforced,
      viewerLevel: level,
      members: members.map(({ of, level }) => ({
        user: 'group' in of ? null : userRef(of.userRowId),
        group: 'group' in of ? of.group : null,
        level,
      })),
    };
  },
};

interface MemberInput {
  readonly projectId: string;
  readonly userId?: string | null;
  readonly email?: string | null;
  readonly group?: string | null;
}

export const projectAccessMutations: Resolvers = {
  async setProjectPrivacy(
    _source,
    { input }: { readonly input: { readonly projectId: string; readonly isPrivate: boolean } },
    context: GraphqlContext,
  ) {
    const rowId = rowIdOfNode('Project', input.projectId);
    await context.domain.projects.setPrivacy({ rowId }, input.isPrivate);
    return changed(rowId, context);
  },
  async setProjectMember(
    _source,
    { input }: { readonly input: MemberInput & { readonly level: ProjectLevel } },
    context: GraphqlContext,
  ) {
    const rowId = rowIdOfNode('Project', input.projectId);
    const member = toGivenMember({ ...input, userRowId: userRowIdOf(input) });
    await context.domain.projects.setMember({ rowId }, member, input.level);
    return changed(rowId, context);
  },
  async removeProjectMember(_source, { input }: { readonly input: MemberInput }, context: GraphqlContext) {
    const rowId = rowIdOfNode('Project', input.projectId);
    const member = toMemberRef({ group: input.group, userRowId: userRowIdOf(input) });
    await context.domain.projects.removeMember({ rowId }, member);
    return changed(rowId, context);
  },
};

const userRowIdOf = ({ userId }: MemberInput): number | undefined =>
  userId == null ? undefined : rowIdOfNode('User', userId);

function changed(rowId: number, context: GraphqlContext): object {
  context.invalidateReads();
  return { project: projectRef(rowId), query: QUERY };
}
