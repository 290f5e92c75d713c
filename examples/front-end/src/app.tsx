import { AnswersTable } from './answers-table.tsx';
import { ListForm } from './list-form.tsx';
import { Progress } from './progress.tsx';
import { isWorthAsking } from './row.ts';
import { useLookUp } from './use-look-up.ts';
import { count } from './words.ts';

export function App() {
  const { phase, rows, interruption, start, askAgain, cancel } = useLookUp();
  const isAsking = phase === 'asking';
  const again = isAsking ? 0 : rows.filter(isWorthAsking).length;
  return (
    <main>
      <h1>DOI list</h1>
      <ListForm isAsking={isAsking} onSubmit={start} onCancel={cancel} />
      {phase !== 'idle' && <Progress phase={phase} rows={rows} />}
      {interruption !== null && (
        <p role="alert" className="interruption">
          The gateway cannot be reached, or stopped answering: {interruption}.
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
