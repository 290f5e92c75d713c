// The runbook has a section for each alert.

import { expect, test } from 'vitest';
import { VARIABLES } from '../../src/config.ts';
import { ERROR_KINDS } from '../../src/errors.ts';
import { readAlerts, textOf } from './deploy-files.ts';

const runbook = textOf('docs/runbook.md');
const sections = runbook.split(/^## /m).slice(1);
const titleOf = (section: string) => section.slice(0, section.indexOf('\n'));

test('each alert has a section, and each section has an alert', () => {
  const alerts = readAlerts().map(({ alert }) => alert);
  expect(alerts.length).toBeGreaterThan(0);
  expect(sections.map(titleOf)).toEqual(alerts);
});

test('each alert links to its section', () => {
  for (const { alert, annotations } of readAlerts()) {
    expect(annotations.runbook_url).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
  }
});

test('each section has a meaning, checks and actions', () => {
  for (const section of sections) {
    const [title, ...paragraphs] = section.trim().split('\n\n');
    expect([title, ...paragraphs.map((text) => /^\*\*.+?\*\*/.exec(text)?.[0])]).toEqual([
      title,
      undefined,
      '**Check**',
      '**Do**',
    ]);
  }
});

test.each(['docs/runbook.md', 'docs/operating.md', 'SECURITY.md'])(
  '%s names only existing variables',
  (path) => {
    const named = [...textOf(path).matchAll(/`([A-Z][A-Z_]{3,})`/g)].map(([, name = '']) => name);
    const known = [...Object.keys(VARIABLES), ...Object.keys(ERROR_KINDS)];
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  },
);
