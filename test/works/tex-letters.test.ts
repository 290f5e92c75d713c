// Comparisons read every TeX spelling of a letter as the printed letter.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { folded } from '../../src/works/folded-words.ts';
import { readTexLetters } from '../../src/works/tex-letters.ts';
import { testTable } from '../support/test-table.ts';

/** Printed words, and their spellings in TeX. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  Müller: ['M\\"uller', 'M\\"{u}ller', 'M{\\"u}ller', 'M{\\"{u}}ller', '{M\\"{u}ller}', 'M{\\" u}ller'],
  Dvořák: ["Dvo{\\v r}{\\'a}k", "Dvo\\v{r}\\'ak", "Dvo\\v r\\'{a}k", "Dvo{\\v{r}}{\\'{a}}k"],
  Ångström: [
    '{\\AA}ngstr{\\"o}m',
    '\\AA ngstr\\"om',
    '\\AA{}ngstr\\"om',
    '\\r{A}ngstr\\"om',
    '{\\r A}ngstr\\"om',
  ],
  blåbær: ['bl\\aa b\\ae r', 'bl{\\aa}b{\\ae}r', 'bl\\r ab\\ae{}r', 'bl\\aa\nb\\ae r'],
  Erdős: ['Erd{\\H o}s', 'Erd\\H os', 'Erd\\H{o}s', 'Erd{\\H{o}}s', 'Erd\\H  os', 'Erd\\H{{o}}s'],
  Đoković: ["{\\DJ}okovi{\\'c}", "\\DJ okovi\\'c", "\\DJ{}okovi\\'{c}", "\\Dbar okovi\\'c"],
  ðorður: ['\\dh or\\dh ur', '{\\dh}or{\\dh}ur'],
  'Þór ÞÓR': ["{\\TH}\\'or \\TH\\'OR", "\\th\\'or {\\th}{\\'o}r"],
  Peşteanņu: ['Pe{\\c s}tean{\\c n}u', 'Pe\\c stean\\c nu', 'Pe\\c{s}tean\\textcommabelow{n}u'],
  Ionuț: ['Ionu\\textcommabelow t', 'Ionu{\\textcommabelow t}', 'Ionu\\cb{t}', 'Ionu{\\cb t}'],
  García: [
    "Garc{\\'\\i}a",
    "Garc\\'{\\i}a",
    "Garc{\\'{\\i}}a",
    "Garc\\'\\i a",
    "Garc\\'ia",
    "Garc\\'{\\i }a",
  ],
  naïve: ['na{\\"\\i}ve', 'na\\"{\\i}ve', 'na\\"\\i ve', 'na\\"{\\imath}ve'],
  Straße: ['Stra{\\ss}e', 'Stra\\ss e', 'Stra\\ss{}e', '{Stra{\\ss}e}'],
  Søren: ['S\\o ren', 'S{\\o}ren', 'S\\o{}ren', 'S\\o\tren'],
  Łódź: ["\\L\\'od\\'z", "{\\L}{\\'o}d{\\'z}", "\\L{}\\'{o}d\\'{z}", "\\L \\'od\\'z"],
  Gołąb: ['Go\\l\\k{a}b', 'Go\\l \\k ab', 'Go{\\l}{\\k a}b', 'Go{\\l}\\polhk ab'],
  Erdoğan: ['Erdo\\u{g}an', 'Erdo{\\u g}an', 'Erdo\\u gan', 'Erdo{\\u{g}}an'],
  Żak: ['\\.Zak', '\\.{Z}ak', '{\\.Z}ak', '{\\.{Z}}ak'],
  Thủy: ['Th\\h uy', 'Th\\h{u}y'],
  Việt: ['Vi\\d{\\^e}t', 'Vi{\\d{\\^{e}}}t', 'Vi\\^{\\d e}t', 'Vi\\d\\^et'],
  Rădulescu: ['R\\u adulescu', 'R{\\u{a}}dulescu'],
  Œuvre: ['{\\OE}uvre', '\\OE uvre', '\\OE{}uvre'],
  Ŋorŋ: ['{\\NG}or{\\ng}', '\\NG or\\ng'],
  Ḥasan: ['\\d Hasan', '\\d{H}asan', '{\\d H}asan'],
  'Peña Núñez': ["Pe\\~na N\\'u\\~nez", "Pe{\\~n}a N{\\'u}{\\~n}ez", "Pe\\~{n}a N\\'{u}\\~{n}ez"],
  Château: ['Ch\\^ateau', 'Ch{\\^a}teau', 'Ch\\^{a}teau', 'Ch\\accent94 ateau'],
  'Curaçao Ārya': ['Cura\\c cao \\=Arya', 'Cura{\\c{c}}ao {\\=A}rya'],
  "Gel'fand": ['Gel\\cprime fand', 'Gel{\\cprime}fand', 'Gel\\cprime{}fand'],
  Schrödinger: [
    'Schr\\"o\\-din\\-ger',
    'Schr\\"{o}dinger',
    'Schr\\accent"7F odinger',
    'Schr\\accent127odinger',
  ],
  Ljubljana: ['\\v Ljubljana', 'L\\v{\\j}ubljana'],
};

testTable(Object.entries(SPELLINGS))(
  'each TeX spelling of a word is read as the printed word',
  (printed, spellings) => {
    expect(spellings.map((spelling) => [spelling, folded(spelling)])).toEqual(
      spellings.map((spelling) => [spelling, folded(printed)]),
    );
  },
);

testTable([
  ['{\\em In vitro} tests', 'In vitro tests'],
  ['Alzheimer{\\textquoteright}s disease', 'Alzheimer s disease'],
  ['1990\\textendash 2000', '1990 2000'],
  ['p {\\textless} 0.05', 'p   0.05'],
  ['\\textit{E. coli} and \\textbf {others}', 'E. coli and others'],
])('a text of LaTeX is read as its printed words', (latex, printed) => {
  const words = (text: string) => folded(text).match(/[a-z0-9]+/g);
  expect(words(latex)).toEqual(words(printed));
});

testTable([
  'C:\\users\\reports',
  'the command \\section',
  'line\\nbreak',
  'a\\\\b',
  '\\LaTeX',
  '50\\% of \\underline',
])('other commands and backslashes stay', (text) => {
  expect(readTexLetters(text)).toBe(text);
});

test('a text without a backslash stays', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const plain = text.replaceAll('\\', '');
      expect(readTexLetters(plain)).toBe(plain);
    }),
  );
});
