// @ts-check
// The chain of aliases, from the name to the last target.

import { addressOf } from './address.js';
import { el } from './dom.js';
import { missing } from './failure-view.js';
import { plate } from './plate.js';
import { code, link } from './text.js';
import { count } from './words.js';

/** @import { AnswerError, DirectoryDoi, Redirect } from './answers.js' */

/**
 * @param {string} name
 * @param {DirectoryDoi['alias']} alias
 * @param {Redirect | null} redirect
 * @param {{ alias: AnswerError | null, redirect: AnswerError | null }} errors
 */
export function aliasView(name, alias, redirect, errors) {
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
      el('li', {}, el('small', {}, 'asked for'), code(name)),
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

/** @param {AnswerError} error */
function deadEnd({ message, extensions }) {
  return extensions?.code === 'ALIAS_LOOP' ? 'on without an end' : el('bdi', {}, message);
}
