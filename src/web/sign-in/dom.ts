type Child = Node | string | false | undefined;

/** Creates an element. Texts become text nodes, so no value is parsed as markup. An undefined attribute is absent. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) created.setAttribute(name, value);
  created.append(...children.filter((child): child is Node | string => child !== undefined && child !== false));
  return created;
}
