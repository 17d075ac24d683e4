import { type ASTVisitor, GraphQLError, type NameNode, type ValidationContext } from 'graphql';

/**
 * Validation rule against names that every object inherits, such as `constructor`. graphql-jit keeps aliases and
 * variables in plain objects, so these names would break the compiled function.
 */
export function inheritedNamesRule(context: ValidationContext): ASTVisitor {
  const check = (name: NameNode | undefined, what: string) => {
    if (!name || !(name.value in Object.prototype)) return;
    context.reportError(new GraphQLError(`${what} cannot have the name "${name.value}".`, { nodes: name }));
  };
  return {
    enter(node) {
      if (node.kind === 'Field') check(node.alias, 'An alias');
      if (node.kind === 'VariableDefinition') check(node.variable.name, 'A variable');
    },
  };
}
