// `doi check`: whether the references of a text are there.

import { canonicalName, type DoiName } from '../doi/name.ts';
import { safeText } from '../safe-text.ts';
import { ageOf } from './age.ts';
import { WorkAnswers } from './check/answer-works.ts';
import { asJson, checkedReference, inWords, needsLook } from './check/checked-reference.ts';
import { LockFile } from './check/lock-file.ts';
import { type KnownName, NameAnswers } from './check/name-answers.ts';
import { counted, Tally } from './check/tally.ts';
import { type CommandCall, defineCommand, GATEWAY_OPTIONS } from './command.ts';
import { eachInput } from './each-input.ts';
import { type Reference, referencesIn } from './find-in-input.ts';

const DEFAULT_MAX_AGE = '30d';

const OPTIONS = {
  strict: { type: 'flag', meaning: 'Exit with 1 for look-alikes, aliases and tombstones too.' },
  quiet: { type: 'flag', short: 'q', meaning: 'Write only what needs a look: not what is simply found.' },
  titles: {
    type: 'flag',
    meaning:
      'Ask the agencies for titles as well, and compare each with the words around the name: fits, does not fit, or found where it cannot be told. What does not fit counts as an absent one does.',
  },
  lock: {
    type: 'value',
    placeholder: 'FILE',
    isFile: true,
    meaning:
      'Keep answers in FILE, to be committed with the text. What is kept is not asked again until it is older than --max-age, and stands when it cannot be asked.',
  },
  'max-age': {
    type: 'value',
    placeholder: 'AGE',
    meaning: `Age from which a kept answer is asked again: 12h, 30d, 4w; 0 asks for all. ${DEFAULT_MAX_AGE} unless it says.`,
  },
  ...GATEWAY_OPTIONS,
  json: {
    type: 'flag',
    meaning:
      'Write one JSON object a line: {"file", "line", "column", "name", "text", "repaired", "outcome", "asked", "reason", "meant", "isLookalike", "looksLike", "alias", "tombstone"}; "outcome" is found, absent or unknown. With --titles also {"fit", "title"}; "fit" is fits, does-not-fit, unknown, or null for a name that is not found.',
  },
} as const;

export const checkCommand = defineCommand({
  name: 'check',
  summary: 'check that the DOI references of files exist',
  operands: '[FILE…]',
  about: [
    'Finds the DOI names as doi find does, looks each up once, and writes FILE:LINE:COLUMN: OUTCOME: NAME. The outcome is found, absent (with the name that was probably meant), or cannot tell, where the directory could not be asked: that is never taken for absence.',
    'Beside it stands what is worth a look: a look-alike, whose characters are not what they seem; an alias, for which another name stands; a tombstone, which leads to a page that says the content is gone. No page is ever fetched.',
  ],
  options: OPTIONS,
  examples: [
    {
      command: 'CONTACT=you@example.org doi check --live thesis.tex references.bib',
      meaning: 'Ask the live DOI system, with your address for its operators.',
    },
    {
      command: 'CONTACT=you@example.org doi check --live --lock dois.lock -q docs/*.md',
      meaning: "In a build: what is kept in dois.lock does not fail for somebody's outage.",
    },
    {
      command: 'doi check --gateway https://doi.example.org --json < thesis.tex',
      meaning: 'Ask a running gateway; JSON Lines for a program.',
    },
  ],
  exitCodes: {
    0: 'All references are found. Where it cannot be told whether they fit, that changes nothing.',
    1: 'Some are absent, or with --titles do not fit.',
    3: 'Some could not be asked; this comes before 1.',
  },
  async run(call) {
    const { options, stderr } = call;
    const maxAgeMs = ageOf('max-age', options['max-age'] ?? DEFAULT_MAX_AGE);
    const lock = options.lock === undefined ? null : await LockFile.read(options.lock);
    const answering = { ...call, wait: toldWait(call), lock, maxAgeMs };
    const works = options.titles ? new WorkAnswers(answering) : null;
    const check = new Check(call, new NameAnswers(answering), works);
    let isWhole: boolean;
    try {
      isWhole = await eachInput('check', call, (input) => check.read(referencesIn(input, options.titles)));
    } finally {
      // What was answered is kept, whatever ended the call.
      await lock?.write();
    }
    await stderr.write(`${check.notes(options.lock).join('\n')}\n`);
    return check.tally.exitCode(isWhole, options.strict);
  },
});

/** Longer than that nobody waits without a word. */
const SHORT_WAIT_MS = 5_000;

function toldWait({ stderr, wait }: Pick<CommandCall, 'stderr' | 'wait'>): CommandCall['wait'] {
  return async (ms) => {
    if (ms > SHORT_WAIT_MS) {
      await stderr.write(
        `doi check: some names could not be asked; once more in ${Math.round(ms / 1_000)} s.\n`,
      );
    }
    await wait(ms);
  };
}

/** Names that are looked up together, and references that wait for it at the most. */
const NAMES_AT_ONCE = 100;
const MOST_WAITING = 1_000;

/** What stands for bytes that are no UTF-8. */
const UNREADABLE = '\uFFFD';
const OF_UNREADABLE: KnownName = {
  outcome: 'unknown',
  asked: null,
  reason: 'There are bytes in it that are no UTF-8.',
  meant: [],
  alias: null,
  tombstone: null,
};

interface Waiting {
  readonly reference: Reference;
  /** undefined until it is asked */
  readonly known: KnownName | undefined;
}

class Check {
  readonly tally = new Tally();
  readonly #call: CommandCall<typeof OPTIONS>;
  readonly #answers: NameAnswers;
  readonly #works: WorkAnswers | null;

  constructor(call: CommandCall<typeof OPTIONS>, answers: NameAnswers, works: WorkAnswers | null) {
    this.#call = call;
    this.#answers = answers;
    this.#works = works;
  }

  /** Writes what is said of each, in their order. */
  async read(references: AsyncIterable<Reference>): Promise<void> {
    let waiting: Waiting[] = [];
    let unasked = 0;
    for await (const reference of references) {
      const { name } = reference.match;
      const known = name.includes(UNREADABLE) ? OF_UNREADABLE : this.#answers.known(name);
      waiting.push({ reference, known });
      unasked += Number(known === undefined);
      if (unasked >= NAMES_AT_ONCE || waiting.length >= MOST_WAITING) {
        await this.#settle(waiting);
        waiting = [];
        unasked = 0;
      }
      this.#call.signal.throwIfAborted();
    }
    await this.#settle(waiting);
  }

  async #settle(waiting: readonly Waiting[]): Promise<void> {
    await this.#ask(waiting);
    // What was cut at the end of an absent name may have been part of it.
    const uncut = waiting.map(({ reference, known }) => {
      const { match } = reference;
      const isCut = match.uncut !== null && this.#known({ reference, known }).outcome === 'absent';
      const whole = isCut && match.uncut !== null ? { ...match, name: match.uncut } : null;
      return whole && { reference: { ...reference, match: whole }, known: this.#answers.known(whole.name) };
    });
    await this.#ask(uncut.filter((one) => one !== null));
    const told = waiting.map((one, at) => {
      const whole = uncut[at] ?? null;
      return whole !== null && this.#known(whole).outcome !== 'absent' ? whole : one;
    });
    const found = told.filter((one) => this.#known(one).outcome === 'found');
    await this.#works?.ask(found.map(({ reference }) => reference.match.name));
    await this.#write(told);
  }

  async #ask(waiting: readonly Waiting[]): Promise<void> {
    const names = new Map<string, DoiName>();
    for (const { reference, known } of waiting) {
      const { name } = reference.match;
      const canonical = canonicalName(name);
      if (known === undefined && !names.has(canonical)) names.set(canonical, name);
    }
    await this.#answers.ask([...names.values()]);
  }

  #known({ reference, known }: Waiting): KnownName {
    return known ?? this.#answers.asked(reference.match.name);
  }

  async #write(told: readonly Waiting[]): Promise<void> {
    const { options, stdout } = this.#call;
    let lines = '';
    for (const one of told) {
      const work = this.#works?.of(one.reference.match.name) ?? null;
      const checked = checkedReference(one.reference, this.#known(one), work);
      this.tally.add(checked);
      if (options.quiet && !needsLook(checked)) continue;
      lines += options.json ? asJson(checked) : inWords(checked, stdout);
    }
    await stdout.writeStyled(lines);
  }

  /** For standard error, when all is said. */
  notes(lockFile: string | undefined): string[] {
    const { tally } = this;
    const notes = [tally.told()];
    if (tally.stood > 0) {
      notes.push(
        `${counted(tally.stood, 'answer', 'answers')} of ${safeText(lockFile ?? '')} could not be asked again, and stand as they were kept.`,
      );
    }
    const { stood, notAsked, reason } = tally.titles;
    if (stood > 0)
      notes.push(
        `The titles of ${counted(stood, 'reference', 'references')} stand as they were kept. ${reason}`,
      );
    if (notAsked > 0) {
      notes.push(
        `The titles of ${counted(notAsked, 'reference', 'references')} could not be asked. ${reason}`,
      );
    }
    if (tally.notInSample > 0) {
      notes.push(
        `${counted(tally.notInSample, 'reference is', 'references are')} not among the records of the bundled sample, and may exist all the same. To ask the live DOI system:  CONTACT=you@example.org doi check --live …`,
      );
    }
    if (this.#answers.isSample && lockFile !== undefined) {
      notes.push(`What the bundled sample answers is not kept in ${safeText(lockFile)}.`);
    }
    return notes;
  }
}
