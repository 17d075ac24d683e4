export type { DatasetSelector } from './dataset-selector.ts';
export * from './datasets.ts';
export * from './upload-dataset.ts';
