import { useDeferredValue, useState } from 'react';
import { examples } from './examples.ts';
import { readInputs } from './read-inputs.ts';
import { readingInWords } from './reading.ts';
import { count } from './words.ts';

interface ListFormProps {
  readonly isAsking: boolean;
  onSubmit(inputs: readonly string[]): void;
  onFind(text: string): void;
  onCancel(): void;
}

const NONE: readonly string[] = [];

export function ListForm({ isAsking, onSubmit, onFind, onCancel }: ListFormProps) {
  const [text, setText] = useState('');
  const inputs = readInputs(text);
  const reading = readingInWords(useDeferredValue(inputs, NONE));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (inputs.length > 0) onSubmit(inputs);
      }}
    >
      <label htmlFor="list">DOIs, in any form, or a bibliography</label>
      <textarea
        id="list"
        rows={6}
        spellCheck={false}
        autoComplete="off"
        aria-describedby="list-hint list-reading"
        placeholder={'https://doi.org/10.1000/182\n10.1000/456#789'}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <p id="list-hint" className="hint">
        A list has one a line; several on one line are told apart where the next begins like a DOI. A
        bibliography is searched for DOIs. {count(inputs.length, 'input')} as a list.
      </p>
      {/* Described, not announced: it changes with every key. */}
      <p id="list-reading" className="hint reading">
        <bdi>{reading}</bdi>
      </p>
      <div className="buttons">
        <button type="submit" className="primary" aria-disabled={inputs.length === 0}>
          Look up
        </button>
        <button
          type="button"
          aria-disabled={inputs.length === 0}
          onClick={() => inputs.length > 0 && onFind(text)}
        >
          Find the DOIs in it
        </button>
        <button type="button" onClick={() => setText(examples.join('\n'))}>
          Load {examples.length} examples
        </button>
        {/* Not `disabled`: the focus would be lost when a list is done. */}
        <button type="button" aria-disabled={!isAsking} onClick={() => isAsking && onCancel()}>
          Cancel
        </button>
      </div>
    </form>
  );
}
