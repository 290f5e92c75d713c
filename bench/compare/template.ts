// Templates of requests. Each request gets new names and numbers in place of the template's marks.

import { FIRST_NAME, NAME_START, names } from '../peers/data.mjs';

/** The serial number of the request replaces this mark. */
export const SERIAL = '@@@@@@@@@';
/** The digits of a random name replace this mark. Each mark gets another random name. */
const RANDOM_DIGITS = '########';
/** This mark gets the digits of the last RANDOM_DIGITS mark before it, so that the request contains that name again. */
const REPEATED_DIGITS = '========';

export const RANDOM_NAME = NAME_START + RANDOM_DIGITS;
export const REPEATED_NAME = NAME_START + REPEATED_DIGITS;

export type Template = (serial: number) => Buffer;

export function createTemplate(request: Buffer): Template {
  const positions = [SERIAL, RANDOM_DIGITS, REPEATED_DIGITS].flatMap((mark) => positionsOf(mark, request));
  positions.sort((a, b) => a.at - b.at);
  return (serial) => {
    const bytes = Buffer.from(request);
    let digits = '';
    for (const { mark, at } of positions) {
      if (mark === RANDOM_DIGITS) digits = String(FIRST_NAME + Math.floor(Math.random() * names.length));
      bytes.write(mark === SERIAL ? String(serial).padStart(mark.length, '0') : digits, at, 'latin1');
    }
    return bytes;
  };
}

function positionsOf(mark: string, bytes: Buffer): { mark: string; at: number }[] {
  const positions = [];
  for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + mark.length)) {
    positions.push({ mark, at });
  }
  return positions;
}
