// Recognises headings, and the headings of lists of references in the languages of most papers.

const REFERENCES = new RegExp(
  `^(?:${[
    'references?(?: list| cited)?|list of references|bibliography|works cited|literature(?: cited)?|cited literature|further reading|selected publications|publications',
    'literatur(?:verzeichnis|hinweise)?|quellen(?:verzeichnis)?|bibliogra(?:phie|fie|fía|fia|phy)|référence?s(?: bibliographiques)?',
    'referencias(?: bibliográficas)?|referências(?: bibliográficas)?|riferimenti(?: bibliografici)?|literatuur(?:lijst)?',
    'referen[sc]er|litteratur(?:liste|förteckning)?|lähteet|kirjallisuus|literatura|piśmiennictwo|irodalom|kaynakça|kaynaklar',
    'список литературы|литература|библиография|참고 ?문헌|参考文献|參考文獻|引用文献|参考资料|المراجع|ביבליוגרפיה',
  ].join('|')})$`,
  'iu',
);

/** Markdown, AsciiDoc, TeX, HTML */
const HEADING =
  /^\s{0,3}(?:#{1,6}\s|={1,6}\s|\\(?:chapter|(?:sub){0,2}section|paragraph|part)\*?\s?\{|\\begin\{thebibliography\}|<h[1-6]\b|<title\b)/i;
const BEGINS_BIBLIOGRAPHY = /\\begin\{thebibliography\}/;
/** A longer line is no heading of a list of references. */
const MAX_HEADING_CHARACTERS = 120;

/** Whether a heading begins a list of references. Null if the line is no heading. */
export function headingIn(line: string): { readonly isOfReferences: boolean } | null {
  const short = line.length > MAX_HEADING_CHARACTERS && !line.startsWith('<') ? '' : line.slice(0, 300);
  const words = short
    .replace(/<[^<>]{0,200}>/g, '')
    .replace(/\\[a-z]+\*?|[#*_=:{}[\]]/gi, ' ')
    .trim()
    // the number of the section
    .replace(/^(?:\d{1,2}(?:\.\d{1,2}){0,3}|[IVX]{1,5}|[A-Z])\.?\s+/, '')
    .trim();
  const isOfReferences = REFERENCES.test(words) || BEGINS_BIBLIOGRAPHY.test(short);
  return isOfReferences || HEADING.test(line) ? { isOfReferences } : null;
}
