// The fields of records become the words of a reference.

import { describe, expect, test } from 'vitest';
import { readBibtex } from '../../src/works/reference-lists/bibtex-entries.ts';
import { bibtexWords, taggedWords } from '../../src/works/reference-lists/record-words.ts';

describe('an entry of BibTeX', () => {
  test.each([
    [
      '@string{jme = "J. Pumps"} @article{a, author={Berger, Ada and Ludwig van Beethoven and {World Health Organization} and others}, title={{Reliability} of {\\"U}bung \\& pumps}, journal=jme, year=2012, volume=57, number={3}, pages={978--991}, doi={10.5555/p_1}}',
      'Berger, A., van Beethoven, L., World Health Organization, et al (2012). Reliability of Ubung & pumps. J. Pumps, 57(3), 978–991. https://doi.org/10.5555/p_1',
    ],
    [
      '@string{p = "Harbour"} @book(b, title="Ferries", subtitle={A History}, editor={Marsh, P.}, publisher=p # " Press", date={1977-05})',
      'Marsh, P. (1977). Ferries: A History. Harbour Press.',
    ],
    ['@misc{c, author = {Berger, Ada}, note = {no title}}', ''],
  ])('%s', (source, expected) => {
    const { entries, macros } = readBibtex(source);
    expect(entries.map((entry) => bibtexWords(entry, macros))).toEqual([expected]);
  });
});

describe('a record of', () => {
  test.each([
    [
      'RIS',
      'TY  - JOUR\r\nAU  - Berger, Ada\r\nAU  - Doe, J.\r\nPY  - 2012/03/01\r\nTI  - Pumps\r\nJO  - J. Pumps\r\nVL  - 57\r\nIS  - 3\r\nSP  - 978\r\nEP  - 991\r\nDO  - 10.5555/p\r\nER  - ',
      'Berger, A., Doe, J. (2012). Pumps. J. Pumps, 57(3), 978–991. https://doi.org/10.5555/p',
    ],
    [
      'MEDLINE',
      'PMID- 12\nIS  - 1234-5678\nVI  - 4\nIP  - 2\nDP  - 2012 Mar\nTI  - Reliability of\n      pumps.\nPG  - 978-91\nFAU - Berger, Ada\nAU  - Berger A\nJT  - Pumps\nAID - 10.5555/p [doi]',
      'Berger, A. (2012). Reliability of pumps. Pumps, 4(2), 978-91. https://doi.org/10.5555/p',
    ],
    [
      'Web of Science',
      'PT J\nAU Berger, A\n   Doe, J\nTI Reliability of\n   pumps\nSO PUMPS\nPY 2012\nVL 5\nBP 1\nEP 9\nDI 10.5555/p\nER',
      'Berger, A., Doe, J. (2012). Reliability of pumps. PUMPS, 5, 1–9. https://doi.org/10.5555/p',
    ],
    [
      'EndNote',
      '%0 Journal Article\n%A Berger, Ada\n%T Pumps\n%D 2012\n%J J. Pumps\n%V 5\n%P 1-9',
      'Berger, A. (2012). Pumps. J. Pumps, 5, 1-9.',
    ],
  ])('%s', (_, record, expected) => {
    expect(taggedWords(record)).toBe(expected);
  });
});
