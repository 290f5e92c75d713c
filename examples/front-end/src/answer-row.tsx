import { memo, type ReactNode } from 'react';
import { failureOf, outcomeOf, type Row } from './row.ts';
import { SafeLink } from './safe-link.tsx';
import { SameDoiLabel } from './same-doi-label.tsx';
import { hasNotice } from './update-words.ts';
import { choiceInWords, outcomeWords, updatesInWords } from './words.ts';

interface AnswerRowProps {
  readonly row: Row;
  readonly isAsking: boolean;
  // Not one object: it would be another with every answer, and all rows would be drawn anew.
  readonly group: number | undefined;
  readonly groupFirst: number | undefined;
  readonly groupSize: number | undefined;
}

export const AnswerRow = memo(({ row, isAsking, group, groupFirst, groupSize }: AnswerRowProps) => (
  <tr id={`row-${row.index + 1}`} data-outcome={outcomeOf(row)}>
    <th scope="row" data-label="Row">
      {row.index + 1}
    </th>
    <td data-label="Input">
      <bdi className="name">{row.written}</bdi>
      {row.repaired && <Note>the name is put together from this: check it</Note>}
    </td>
    <td data-label="DOI name">
      {row.name !== null && <bdi className="name">{row.name}</bdi>}
      <Title row={row} />
      <Warnings row={row} />
      {group !== undefined && groupFirst !== undefined && groupSize !== undefined && (
        <SameDoiLabel group={group} first={groupFirst} size={groupSize} index={row.index} />
      )}
    </td>
    <td data-label="Leads to">
      <Target row={row} />
    </td>
    <td data-label="Agency">
      <Agency row={row} />
    </td>
    <td data-label="Status">
      <Status row={row} isAsking={isAsking} />
    </td>
  </tr>
));
AnswerRow.displayName = 'AnswerRow';

interface CellProps {
  readonly row: Row;
}

/** What the name identifies, as its agency describes it: title, people, year, and whether it was retracted. */
function Title({ row: { work, titleFailure } }: CellProps) {
  if (titleFailure) return <Note>no title now: {titleFailure.message}</Note>;
  if (!work) return null;
  const { updates } = work;
  const { title, creators, issued } = work.metadata;
  const [first, ...others] = creators;
  return (
    <span className="work">
      <bdi>{title ?? 'without a title'}</bdi>
      <Note>
        {first && <bdi>{first.name}</bdi>}
        {others.length > 0 && ` and ${others.length} more`}
        {first && issued && ', '}
        {issued?.year}
      </Note>
      {updates && (
        <span className={hasNotice(updates) ? 'notice' : 'note'}>
          <bdi>{updatesInWords(updates)}</bdi>
        </span>
      )}
    </span>
  );
}

/** What was probably copied along. The name stays what was written: a person decides. */
function Warnings({ row }: CellProps) {
  return row.answer?.warnings.map(({ code, message, repaired }) => (
    <Note key={code}>
      {message}
      {repaired !== null && (
        <>
          {' '}
          Perhaps meant: <bdi className="name">{repaired.name}</bdi>
        </>
      )}
    </Note>
  ));
}

function Target({ row }: CellProps) {
  const failure = failureOf(row, 'redirect');
  if (failure) return <Note>{failure.message}</Note>;
  const redirect = row.answer?.redirect;
  if (!redirect) return null;
  return (
    <>
      {redirect.url !== null && <SafeLink url={redirect.url} />}
      <Note>{choiceInWords(redirect.chosenBy)}</Note>
    </>
  );
}

function Agency({ row }: CellProps) {
  const failure = failureOf(row, 'registrationAgency');
  if (failure) return <Note>{failure.message}</Note>;
  const agency = row.answer?.registrationAgency;
  if (!agency) return row.answer && <Note>none</Note>;
  const label = agency.title ?? agency.name;
  return agency.homepageUrl === null ? (
    <bdi>{label}</bdi>
  ) : (
    <SafeLink url={agency.homepageUrl} text={label} />
  );
}

function Status({ row, isAsking }: CellProps & { readonly isAsking: boolean }) {
  const outcome = outcomeOf(row);
  const record = row.answer?.record;
  const failure = row.failures.find(({ field }) => field === null) ?? failureOf(row, 'record');
  const message = failure?.message ?? (outcome === 'found' ? null : record?.message);
  return (
    <>
      <strong className="outcome">
        {outcome === 'waiting' && !isAsking ? 'No answer' : outcomeWords[outcome]}
      </strong>
      {record?.stale && (
        <span className="stale">
          Old copy, from{' '}
          <time dateTime={record.fetchedAt}>{new Date(record.fetchedAt).toLocaleString()}</time>
        </span>
      )}
      {message && <Note>{message}</Note>}
    </>
  );
}

function Note({ children }: { readonly children: ReactNode }) {
  return <span className="note">{children}</span>;
}
