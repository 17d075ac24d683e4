// Made by scripts/generate-web-types.mjs from ../views.graphql.

import type { Operation } from '../../../../data/operation.ts';

export type ProjectViewsData = { readonly node: { readonly __typename: 'Project'; readonly savedViews: readonly ({ readonly id: string; readonly tab: 'spans' | 'traces' | 'sessions'; readonly name: string; readonly search: string; readonly layout: string })[] } | { readonly __typename: 'another' } };

export type ProjectViewsVariables = { readonly id: string };

export const projectViews: Operation<ProjectViewsData, ProjectViewsVariables> = {
  name: 'projectViews',
  text: "query projectViews($id:ID!){node(id:$id){__typename ...on Project{savedViews{id tab name search layout}}}}",
};

export type SaveViewData = { readonly saveView: { readonly id: string } };

export type SaveViewVariables = { readonly input: { readonly projectId: string; readonly tab: 'spans' | 'traces' | 'sessions'; readonly name: string; readonly search: string; readonly layout: string } };

export const saveView: Operation<SaveViewData, SaveViewVariables> = {
  name: 'saveView',
  text: "mutation saveView($input:SaveViewInput!){saveView(input:$input){id}}",
  access: 'member',
};

export type DeleteSavedViewData = { readonly deleteSavedView: { readonly id: string } };

export type DeleteSavedViewVariables = { readonly id: string };

export const deleteSavedView: Operation<DeleteSavedViewData, DeleteSavedViewVariables> = {
  name: 'deleteSavedView',
  text: "mutation deleteSavedView($id:ID!){deleteSavedView(id:$id){id}}",
  access: 'member',
};
