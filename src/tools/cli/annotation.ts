// Writes an annotation of GitHub Actions: a command in the output that it shows beside a line of a file.
// https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands

import { safeText } from '../../safe-text.ts';

/** @param properties `file`, `line`, `col`, … @param message without control characters */
export function annotation(
  level: 'error' | 'warning' | 'notice',
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const written = Object.entries(properties).map(([key, value]) => `${key}=${escapedProperty(`${value}`)}`);
  return `::${level} ${written.join(',')}::${escapedData(message)}\n`;
}

/** Escapes as GitHub's toolkit does, so that no text can end the command or start another command. */
function escapedData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapedProperty(text: string): string {
  return escapedData(safeText(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
