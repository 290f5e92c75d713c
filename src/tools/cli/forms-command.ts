// `doi forms`: writes names in all forms, or in the forms that the user selects.

import type { DoiName } from 'doi-names';
import { DOI_ENCODINGS, type DoiEncodingForm } from 'doi-names/parts';
import { jsonLine, safeText } from '../../safe-text.ts';
import { defineCommand, NEGATIVE_ANSWER, POSITIVE_ANSWER } from './command.ts';
import { givenNames, LITERAL, problemLine } from './read-names.ts';

/** Maps each word that --form accepts to its form. Examples: `url-mandatory` for URL_MANDATORY, and `url` for URL_RECOMMENDED. */
const FORMS: ReadonlyMap<string, DoiEncodingForm> = new Map(
  (Object.keys(DOI_ENCODINGS) as DoiEncodingForm[]).map((form) => [
    form === 'URL_RECOMMENDED' ? 'url' : form.toLowerCase().replaceAll('_', '-'),
    form,
  ]),
);

export const formsCommand = defineCommand({
  name: 'forms',
  summary: 'write names in other forms: URL, URI, URN, HTML …',
  operands: 'NAME… | -',
  about: [
    'Reads each NAME in any form and writes it in all forms, or only in the forms of --form. Each form is correctly encoded. With `-` as the operand, it reads one name from each line of standard input. The command makes no look-up.',
    `The forms: ${[...FORMS.keys()].join(', ')}.`,
  ],
  options: {
    form: {
      type: 'value',
      short: 'f',
      placeholder: 'FORM',
      meaning: 'Write only this form, one line for each NAME. You can give this option several times.',
      choices: [...FORMS.keys()],
      several: true,
    },
    literal: LITERAL,
    json: { type: 'flag', meaning: 'Write one JSON object on each line: {"input", "name", "forms"}.' },
  },
  examples: [
    { command: "doi forms '10.1000/456#789'", meaning: 'All forms of a name with their labels.' },
    {
      command: "doi forms '10.1000/456#789' --form url",
      meaning: 'Only the link: https://doi.org/10.1000/456%23789',
    },
    {
      command: 'doi forms --form urn --form markdown 10.1000/182 10.1000/1',
      meaning: 'Two forms of two names, each on its own line.',
    },
  ],
  exitCodes: {
    0: 'Every NAME is a DOI name.',
    1: 'A NAME is no DOI name. The command writes the forms of the other names.',
  },
  async run(call) {
    const { options, stdout, stderr } = call;
    const requested = options.form.length > 0 ? options.form : [...FORMS.keys()];
    const given = await givenNames(call, options.literal);
    for (const item of given) {
      const { input, name } = item;
      if (name === null) {
        await stderr.write(`doi forms: ${safeText(problemLine(item))}\n`);
        continue;
      }
      const values = requested.map((form) => [form, formOf(name, form)] as const);
      if (options.json) await stdout.write(jsonLine({ input, name, forms: Object.fromEntries(values) }));
      else if (options.form.length > 0)
        await stdout.write(values.map(([, value]) => `${safeText(value)}\n`).join(''));
      else await stdout.write(`${values.map(([form, value]) => row(form, value)).join('')}\n`);
    }
    return given.some(({ name }) => name === null) ? NEGATIVE_ANSWER : POSITIVE_ANSWER;
  },
});

const LABEL_WIDTH = Math.max(...[...FORMS.keys()].map(({ length }) => length));

function row(form: string, value: string): string {
  return `${form.padEnd(LABEL_WIDTH)}  ${safeText(value)}\n`;
}

function formOf(name: DoiName, form: string): string {
  return DOI_ENCODINGS[FORMS.get(form) ?? 'NAME'].encode(name);
}
