// Templates of requests. Each request gets new names and numbers in place of the template's marks.

import { FIRST_NAME, NAME_START, names } from '../peers/data.mjs';

/** A mark for the serial number of the request. */
export const SERIAL = '@@@@@@@@@';
/** A mark for the digits of a name. Each mark gets a random name. */
const DRAWN = '########';
/** A mark that repeats the digits of the DRAWN mark before it. */
const REPEATED = '========';

export const DRAWN_NAME = NAME_START + DRAWN;
export const REPEATED_NAME = NAME_START + REPEATED;

export type Template = (serial: number) => Buffer;

export function createTemplate(request: Buffer): Template {
  const positions = [SERIAL, DRAWN, REPEATED].flatMap((mark) => positionsOf(mark, request));
  positions.sort((a, b) => a.at - b.at);
  return (serial) => {
    const bytes = Buffer.from(request);
    let digits = '';
    for (const { mark, at } of positions) {
      if (mark === DRAWN) digits = String(FIRST_NAME + Math.floor(Math.random() * names.length));
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
