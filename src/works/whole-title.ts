// Joins title and subtitle, and separates them again. CSL, BibTeX and RIS have one field for both.

import type { MarkedUpText } from './title-markup.ts';

export interface Titles {
  /** the title without its subtitle */
  readonly main: MarkedUpText | null;
  readonly subtitle: MarkedUpText | null;
  /** title, colon and subtitle, as Zotero joins them */
  readonly whole: MarkedUpText | null;
}

/**
 * @param title the title alone, or title and subtitle together
 * @param subtitle if the title contains this text elsewhere than at its end, there is no subtitle
 */
export function splitTitle(title: MarkedUpText | null, subtitle: MarkedUpText | null): Titles {
  if (title === null || subtitle === null) return { main: title, subtitle: null, whole: title };
  const isJoined = endsWithSubtitle(title.text, subtitle.text) && endsWithSubtitle(title.html, subtitle.html);
  if (isJoined) {
    const main = { text: withoutEnd(title.text, subtitle.text), html: withoutEnd(title.html, subtitle.html) };
    return { main, subtitle, whole: title };
  }
  if (title.text.toLowerCase().includes(subtitle.text.toLowerCase()))
    return { main: title, subtitle: null, whole: title };
  const whole = { text: joined(title.text, subtitle.text), html: joined(title.html, subtitle.html) };
  return { main: title, subtitle, whole };
}

function endsWithSubtitle(title: string, subtitle: string): boolean {
  const end = `: ${subtitle.toLowerCase()}`;
  return title.length > end.length && title.toLowerCase().endsWith(end);
}

function withoutEnd(title: string, subtitle: string): string {
  return title.slice(0, -subtitle.length - 2);
}

function joined(title: string, subtitle: string): string {
  return title.endsWith(':') ? `${title} ${subtitle}` : `${title}: ${subtitle}`;
}
