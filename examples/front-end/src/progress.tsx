import { isSettled, type Row } from './row.ts';
import type { Phase } from './use-look-up.ts';
import { count, summary } from './words.ts';

const verdicts: Readonly<Record<Phase, string>> = {
  idle: '',
  finding: 'Looking for DOIs',
  asking: 'Asking',
  done: 'Done',
  cancelled: 'Cancelled',
  interrupted: 'Interrupted',
};

/** How far the list is: a bar, the numbers, and a word at every tenth for those who listen. */
export function Progress({ phase, rows }: { readonly phase: Phase; readonly rows: readonly Row[] }) {
  const settled = rows.filter(isSettled).length;
  const tenth = Math.floor((10 * settled) / rows.length);
  const isAsking = phase === 'asking';
  const numbers = `${settled.toLocaleString('en')} of ${count(rows.length, 'row')} answered`;
  const outcomes = summary(rows);
  return (
    <section aria-label="Progress" className="progress">
      <progress aria-label="Rows answered" max={rows.length} value={settled} />
      <p>
        {verdicts[phase]}: {numbers}. {outcomes && `${outcomes}.`}
      </p>
      <p aria-live="polite" className="for-screen-readers">
        {isAsking ? `${tenth * 10} percent answered` : `${verdicts[phase]}: ${numbers}. ${outcomes}`}
      </p>
    </section>
  );
}
