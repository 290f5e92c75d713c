import { describe, expect, it } from 'vitest';
import { readInputs } from '../../examples/front-end/src/read-inputs.ts';
import { splitList } from '../../examples/front-end/src/split-list.ts';

describe('a pasted list', () => {
  it.each([
    ['one DOI on each line', '10.1000/1\n10.1000/2\r\n10.1000/3', ['10.1000/1', '10.1000/2', '10.1000/3']],
    ['blank lines and indents', '\n\n  10.1000/1\n\t\n10.1000/2  \n', ['10.1000/1', '10.1000/2']],
    [
      'commas, semicolons, tabs',
      '10.1000/1, doi:10.1000/2;10.1000/3\thttps://doi.org/10.1000/4',
      ['10.1000/1', 'doi:10.1000/2', '10.1000/3', 'https://doi.org/10.1000/4'],
    ],
    ['commas at line ends', '10.1000/1,\n10.1000/2,\n', ['10.1000/1', '10.1000/2']],
    [
      'each form begins a new input',
      'urn:doi:10.1000:1 info:doi/10.1000/2 hdl:10.1000/3 <https://doi.org/10.1000/4> dx.doi.org/10.1000/5',
      [
        ...['urn:doi:10.1000:1', 'info:doi/10.1000/2', 'hdl:10.1000/3'],
        ...['<https://doi.org/10.1000/4>', 'dx.doi.org/10.1000/5'],
      ],
    ],
    ['a name with a comma or a space', '10.1000/a,b 10.1000/c d', ['10.1000/a,b', '10.1000/c d']],
    ['a text that is not a DOI', 'not yet assigned\n10.1000/1', ['not yet assigned', '10.1000/1']],
    ['nothing', ' \n ,', []],
  ])('is read: %s', (_what, text, inputs) => {
    expect(readInputs(text)).toEqual(inputs);
  });

  it('is read in linear time', () => {
    expect(readInputs(`10.1000/1${' ,'.repeat(500_000)}`)).toEqual(['10.1000/1']);
  });

  it('is sent in requests of at most 500 inputs, or of fewer long inputs', () => {
    const list = (lengths: readonly number[]) =>
      lengths.map((length, index) => ({ index, input: 'x'.repeat(length) }));
    const sizes = (lengths: readonly number[]) => splitList(list(lengths)).map((part) => part.length);
    expect(sizes(Array(1001).fill(20))).toEqual([500, 500, 1]);
    expect(sizes(Array(1000).fill(64))).toEqual([250, 250, 250, 250]);
    expect(sizes([20, 100_000, 20])).toEqual([1, 1, 1]);
    expect(splitList(list(Array(1001).fill(20))).flat()).toEqual(list(Array(1001).fill(20)));
    expect(sizes([])).toEqual([]);
  });
});
