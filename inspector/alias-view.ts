// The chain of aliases, from the name to the last target.

import { addressOf } from './address.ts';
import type { AnswerError, DirectoryDoi, Redirect } from './answers.ts';
import { el } from './dom.ts';
import { missing } from './failure-view.ts';
import { plate } from './plate.ts';
import { code, link } from './text.ts';
import { count } from './words.ts';

export function aliasView(
  name: string,
  alias: DirectoryDoi['alias'],
  redirect: Redirect | null,
  errors: { alias: AnswerError | null; redirect: AnswerError | null },
) {
  if (errors.alias) return plate('aliases', 'Aliases', missing(errors.alias.message));
  if (!alias) return null;
  const handles = redirect && redirect.via.length > 0 ? redirect.via : [alias.handle];
  return plate(
    'aliases',
    'Aliases',
    el('p', {}, `The name stands for another handle, ${count(handles.length, 'step')} away.`),
    el(
      'ol',
      { class: 'chain', 'aria-label': 'From the name to where its alias leads' },
      el('li', {}, el('small', {}, 'requested'), code(name)),
      ...handles.map((handle, index) =>
        el(
          'li',
          {},
          el('small', {}, 'is an alias of'),
          index === 0 && alias.doi
            ? el('a', { href: addressOf({ doi: alias.doi.id, other: '' }), class: 'inspect' }, code(handle))
            : code(handle),
        ),
      ),
      errors.redirect
        ? el('li', { class: 'dead' }, el('small', {}, 'and then'), deadEnd(errors.redirect))
        : redirect?.url && el('li', { class: 'end' }, el('small', {}, 'which leads to'), link(redirect.url)),
    ),
  );
}

function deadEnd({ message, extensions }: AnswerError) {
  return extensions?.code === 'ALIAS_LOOP' ? 'on without an end' : el('bdi', {}, message);
}
