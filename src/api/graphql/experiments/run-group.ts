/** The runs of one example in one experiment, which may be empty. */
export interface GroupRef {
  readonly type: 'ExperimentRepeatedRunGroup';
  readonly experimentRowId: number;
  readonly exampleRowId: number;
}

export const groupRef = (experimentRowId: number, exampleRowId: number): GroupRef => ({
  type: 'ExperimentRepeatedRunGroup',
  experimentRowId,
  exampleRowId,
});

export const toGroupId = ({ experimentRowId, exampleRowId }: GroupRef): string =>
  Buffer.from(
    `ExperimentRepeatedRunGroup:experiment_id=${experimentRowId}:dataset_example_id=${exampleRowId}`,
  ).toString('base64');

/** Undefined for an ID of another type. */
export function parseGroupId(globalId: string): GroupRef | undefined {
  const match = /^ExperimentRepeatedRunGroup:experiment_id=(\d{1,15}):dataset_example_id=(\d{1,15})$/.exec(
    Buffer.from(globalId, 'base64').toString(),
  );
  return match ? groupRef(Number(match[1]), Number(match[2])) : undefined;
}
