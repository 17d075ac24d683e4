export {
  formatTemplate,
  getTemplateVariables,
  type ParsedTemplate,
  type PromptTemplate,
  parseTemplate,
  type TemplateFormat,
  type ValueFormatter,
} from './format-template.ts';
