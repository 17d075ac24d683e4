export type { AnnotationContent, AnnotatorKind } from '../annotations/annotation.ts';
export * from './span-annotations.ts';
export type { AttributeValue } from './span-attributes.ts';
export * from './spans.ts';
