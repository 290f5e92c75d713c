import { AnswersTable } from './answers-table.tsx';
import { ListForm } from './list-form.tsx';
import { Progress } from './progress.tsx';
import { isWorthAsking } from './row.ts';
import { type Phase, useLookUp } from './use-look-up.ts';
import { count } from './words.ts';

export function App() {
  const { phase, rows, interruption, start, startFrom, askAgain, cancel } = useLookUp();
  const isAsking = phase === 'asking' || phase === 'finding';
  const again = isAsking ? 0 : rows.filter(isWorthAsking).length;
  return (
    <main>
      <h1>DOI list</h1>
      <ListForm isAsking={isAsking} onSubmit={start} onFind={startFrom} onCancel={cancel} />
      <p role="status">{findingInWords(phase, rows.length)}</p>
      {rows.length > 0 && <Progress phase={phase} rows={rows} />}
      {interruption !== null && (
        <p role="alert" className="interruption">
          {interruption}
        </p>
      )}
      {again > 0 && (
        <p>
          <button type="button" onClick={askAgain}>
            Ask again for {count(again, 'row')}
          </button>
        </p>
      )}
      {rows.length > 0 && <AnswersTable rows={rows} isAsking={isAsking} />}
    </main>
  );
}

function findingInWords(phase: Phase, rows: number): string | null {
  if (phase === 'finding') return 'Looking for DOIs in the text …';
  return phase === 'done' && rows === 0 ? 'There is no DOI in this text.' : null;
}
