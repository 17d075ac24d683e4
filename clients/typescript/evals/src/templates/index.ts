export {
  formatTemplate,
  getTemplateVariables,
  type ParsedTemplate,
  type PromptTemplate,
  parseTemplate,
  type ValueFormatter,
} from './format-template.ts';
