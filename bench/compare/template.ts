// Requests of which no two are the same: each gets other names and numbers in place of its marks.

import { FIRST_NAME, NAME_START, names } from '../peers/data.mjs';

/** A mark for a number that no request had before. */
export const SERIAL = '@@@@@@@@@';
/** A mark for the digits of a name, drawn each time. */
const DRAWN = '########';
/** A mark for the digits that were drawn last. */
const REPEATED = '========';

export const DRAWN_NAME = NAME_START + DRAWN;
export const REPEATED_NAME = NAME_START + REPEATED;

export type Template = (serial: number) => Buffer;

export function createTemplate(request: Buffer): Template {
  const places = [SERIAL, DRAWN, REPEATED].flatMap((mark) => placesOf(mark, request));
  places.sort((a, b) => a.at - b.at);
  return (serial) => {
    const bytes = Buffer.from(request);
    let digits = '';
    for (const { mark, at } of places) {
      if (mark === DRAWN) digits = String(FIRST_NAME + Math.floor(Math.random() * names.length));
      bytes.write(mark === SERIAL ? String(serial).padStart(mark.length, '0') : digits, at, 'latin1');
    }
    return bytes;
  };
}

function placesOf(mark: string, bytes: Buffer): { mark: string; at: number }[] {
  const places = [];
  for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + mark.length)) {
    places.push({ mark, at });
  }
  return places;
}
