import { AnswerRow } from './answer-row.tsx';
import type { Row } from './row.ts';
import { sameDois } from './same-doi.ts';

interface AnswersTableProps {
  readonly rows: readonly Row[];
  readonly isAsking: boolean;
}

export function AnswersTable({ rows, isAsking }: AnswersTableProps) {
  const groups = sameDois(rows);
  return (
    <table aria-busy={isAsking}>
      <caption>What the directory knows of each input, in the order given</caption>
      <thead>
        <tr>
          <th scope="col">Row</th>
          <th scope="col">Input</th>
          <th scope="col">DOI name</th>
          <th scope="col">Leads to</th>
          <th scope="col">Agency</th>
          <th scope="col">Status</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const same = row.doiKey === null ? undefined : groups.get(row.doiKey);
          return (
            <AnswerRow
              key={row.index}
              row={row}
              isAsking={isAsking}
              group={same?.group}
              groupFirst={same?.first}
              groupSize={same?.size}
            />
          );
        })}
      </tbody>
    </table>
  );
}
