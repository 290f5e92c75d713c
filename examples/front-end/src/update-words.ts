// What became of a work, in words. "None recorded" never means "sound".

export const updateWords: Readonly<Record<string, string>> = {
  CONTRADICTORY: 'Contradictory notices',
  RETRACTED: 'Retracted',
  REMOVED: 'Removed',
  WITHDRAWN: 'Withdrawn',
  PARTLY_RETRACTED: 'Partly retracted',
  CONCERN: 'Expression of concern',
  CORRECTED: 'Corrected',
  UPDATED: 'Updated',
};

/** Whether there is a notice about the work. */
export function hasNotice({ outcome }: { readonly outcome: string }): boolean {
  return outcome !== 'NONE_RECORDED' && outcome !== 'NOT_REPORTED';
}
