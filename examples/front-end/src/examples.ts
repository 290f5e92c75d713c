// Two hundred inputs to try the list with, as catalogs hold them. The gateway's own sample knows most of them.

const names = [
  ...['10.1021/jacs.5c01100', '10.1103/PhysRevLett.118.140402', '10.1177/0020720920940575', '10.2777/28598'],
  ...['10.1371/journal.pone.0000030', '10.3389/fpsyg.2016.00565', '10.5240/7481-838B-59CA-63D0-B9A8-E'],
  ...['10.5240/B1FA-0EEC-C316-3316-3A73-L', '10.5438/bc11-cqw1', '10.5438/bv9z-dc66', '10.1000/1'],
  ...['10.1000/182', '10.1000/456', '10.1000/demo_DOI', '10.123/456', '10.4033/iee.2013.6b.6.f'],
  ...['10.5594/SMPTE.ST2067-21.2020', '10.5555/multiurl', '10.5555/unicode', '10.5555/loc'],
  ...['10.5555/aliasurl', '10.5555/empty', '10.5555/binary', '10.5555/loop1'],
];

const spellings: readonly ((name: string) => string)[] = [
  (name) => `https://doi.org/${name}`,
  (name) => name,
  (name) => `doi:${name}`,
  (name) => `http://dx.doi.org/${name}`,
  (name) => `info:doi/${name}`,
  (name) => name.toUpperCase(),
];

const hard = [
  ...['10.1000/456#789', 'https://doi.org/10.1000/456%23789', '10.1006/rwei.1999".0001'],
  ...['10.6338/JDA.202212/SP_17(4).0000', 'urn:doi:10.123:456ABC%2Fzyz', '10.1000/res#test'],
  ...['10.26321/Á.GUTIÉRREZ.ZARZA.02.2018.03', '<https://doi.org/10.3389/FPSYG.2016.00565>'],
  'https://doi.org/10.26321/%C3%81.GUTI%C3%89RREZ.ZARZA.02.2018.03',
  'https://doi.org/api/handles/10.3389/fpsyg.2016.00565',
];

const unreadable = [
  ...['10.1000/', '11.1000/182', '978-3-16-148410-0', '10.10OO/182', '10/abcde'],
  ...['https://doi.org/10.1000/100%', '10.1000/%E9', 'not yet assigned'],
];

const absent = Array.from({ length: 38 }, (_, index) => `10.5555/not-registered-${index + 1}`);

const once = [...hard, ...unreadable, ...absent];
const often = spellings.flatMap((spell) => names.map(spell));

/** The inputs that occur once are spread among the others. */
export const examples: readonly string[] = often.flatMap((input, index) => {
  const at = (index + 1) % 2 === 0 ? once[(index - 1) / 2] : undefined;
  return at === undefined ? [input] : [input, at];
});
