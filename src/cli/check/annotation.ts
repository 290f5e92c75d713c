// A reference that needs a look as an annotation of GitHub Actions: a workflow command that it shows beside the line.

import { safeText } from '../../safe-text.ts';
import { type CheckedReference, inWordsAlone, isSuspicious } from './checked-reference.ts';

/** Empty for what needs no look. */
export function asAnnotation(reference: CheckedReference, isStrict: boolean): string {
  const { file, line, column, match, known, fit } = reference;
  const isError = known.outcome === 'absent' || fit === 'DOES_NOT_FIT';
  const isWarning = known.outcome === 'unknown' || isSuspicious(reference);
  if (!isError && !isWarning) return '';
  const level = isError || (isStrict && known.outcome !== 'unknown') ? 'error' : 'warning';
  // A text with a line break ends in another line.
  const end = match.text.includes('\n') ? {} : { endColumn: column + match.text.length };
  const place = { file, line, col: column, ...end, title: 'DOI reference' };
  const properties = Object.entries(place).map(([key, value]) => `${key}=${property(`${value}`)}`);
  return `::${level} ${properties.join(',')}::${data(inWordsAlone(reference, { colours: false }))}\n`;
}

/** As GitHub's own toolkit escapes them, so that no text can end the command or begin another one. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(safeText(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
