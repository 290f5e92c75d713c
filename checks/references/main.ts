// npm run references: measures how well references in words are matched with their works.
//   -- --part tune|held    scores one half of the references, so that rules can be tuned on the other half
//   -- --references FILE --works FILE    scores other references

import { readFlags } from '../../bench/command.ts';
import { printTable } from '../../bench/table.ts';
import {
  accuracyOf,
  isChimera,
  readReferences,
  type ScoredReference,
  scoreReference,
  searchOfWorks,
} from '../../test/support/reference-vectors.ts';

const WORST = 20;
const MIN_PRECISION = 0.995;
const MIN_RECALL = 0.94;
const MAX_CHIMERAS = 1;

const flags = readFlags({ part: '', references: '', works: '', worst: WORST });
const search = searchOfWorks(flags.works || undefined);
const all = readReferences(flags.references || undefined);
const parts: Readonly<Record<string, number>> = { tune: 0, held: 1 };
const chosen = all.filter((_, at) => flags.part === '' || at % 2 === parts[flags.part]);
const scored = await Promise.all(chosen.map((vector) => scoreReference(vector, search)));
const { precision, recall, chimerasFound } = accuracyOf(scored);

printTable(
  'accuracy',
  ['', 'measured', 'goal'],
  [
    ['references', scored.length, null],
    ['precision', precision.toFixed(4), `at least ${MIN_PRECISION}`],
    ['recall', recall.toFixed(4), `at least ${MIN_RECALL}`],
    ['chimeras found', chimerasFound, `at most ${MAX_CHIMERAS} of ${scored.filter(isChimera).length}`],
  ],
);

const OUTCOMES = ['FOUND', 'DIFFERS', 'SEVERAL', 'NOT_FOUND'] as const;
const styles = [...new Set(scored.map(({ style }) => style))].sort();
printTable(
  'outcomes by style',
  ['style', 'references', 'found right', 'found wrong', ...OUTCOMES],
  styles.map((style) => {
    const some = scored.filter((one) => one.style === style);
    const count = (test: (one: ScoredReference) => boolean): number => some.filter(test).length;
    const results = (['right', 'wrong'] as const).map((result) => count((one) => one.result === result));
    const outcomes = OUTCOMES.map((outcome) => count(({ judgement }) => judgement.outcome === outcome));
    return [style, some.length, ...results, ...outcomes];
  }),
);

const wrong = scored.filter(({ result }) => result === 'wrong');
const missed = scored.filter(({ result }) => result === 'missed');
console.log(`\nthe worst: ${wrong.length} wrong, ${missed.length} missed`);
for (const { result, text, doi, found, judgement } of [...wrong, ...missed].slice(0, flags.worst)) {
  const best =
    judgement.work ?? judgement.candidates.find((candidate) => candidate.doi.toLowerCase() === doi);
  const details = best?.evidence.map(({ detail, verdict, inReference, inWork }) =>
    verdict === 'NOT_STATED' ? '' : `\n    ${detail} ${verdict}: ${inReference} | ${inWork}`,
  );
  console.log(
    `${result}: ${text}\n  meant ${doi}, found ${found}, ${judgement.outcome} ${best?.doi}${details?.join('') ?? ''}`,
  );
}
const isGood = precision >= MIN_PRECISION && recall >= MIN_RECALL && chimerasFound <= MAX_CHIMERAS;
process.exitCode = isGood ? 0 : 1;
