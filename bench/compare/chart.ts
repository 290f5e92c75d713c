// Draws the chart at the top of docs/benchmarks.md: each server's processor time divided by that of bare node:http.

import type { RowResult } from './measure.ts';
import type { ServerName } from './servers.ts';

const WIDTH = 720;
const LABELS = 150;
const VALUES = 60;
const BAR = 18;
const HEADING = 34;
const FONT = 'font-family="system-ui, sans-serif"';

interface ChartRow {
  readonly title: string;
  readonly result: RowResult;
}

/** Returns SVG with a group of horizontal bars for each row, and a bar for each server. */
export function chartOf(rows: readonly ChartRow[], titles: Readonly<Record<ServerName, string>>): string {
  const longest = Math.max(
    ...rows.flatMap(({ result }) => [...result.values()].map(({ ratio }) => ratio ?? 0)),
  );
  const pixels = (WIDTH - LABELS - VALUES) / longest;
  const parts: string[] = [];
  let y = 0;
  for (const { title, result } of rows) {
    y += HEADING;
    parts.push(`<text x="0" y="${y - 8}" font-weight="bold">${title}</text>`);
    for (const [name, { ratio }] of result) {
      if (ratio === null) continue;
      parts.push(
        barOf(titles[name], ratio, { y, width: ratio * pixels, isOurs: /^(?:ours|live)$/.test(name) }),
      );
      y += BAR;
    }
  }
  const height = y + 10;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 0 ${WIDTH + 20} ${height}" width="${WIDTH + 20}" height="${height}" ${FONT} font-size="13" role="img" aria-label="Processor time of each server for one request, divided by that of bare node:http">
<rect x="-10" width="100%" height="100%" fill="#fff"/>
${parts.join('\n')}
</svg>
`;
}

function barOf(
  title: string,
  ratio: number,
  { y, width, isOurs }: { readonly y: number; readonly width: number; readonly isOurs: boolean },
): string {
  const middle = y + BAR / 2 + 4;
  return [
    `<text x="${LABELS - 8}" y="${middle}" text-anchor="end">${title}</text>`,
    `<rect x="${LABELS}" y="${y + 2}" width="${width.toFixed(1)}" height="${BAR - 4}" fill="${isOurs ? '#1463a5' : '#b4bcc4'}"/>`,
    `<text x="${(LABELS + width + 6).toFixed(1)}" y="${middle}">${ratio.toFixed(2)}</text>`,
  ].join('');
}
