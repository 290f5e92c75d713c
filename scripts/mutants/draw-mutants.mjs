// Draws a sample of the mutants, which Stryker itself cannot do. The others become "compile errors" in its report.

import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { CheckStatus } from '@stryker-mutator/api/check';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';

const { MUTANTS_SEED = '1', MUTANTS_SHARE = '0.1' } = process.env;

/** From 0 to 1: the same mutant has the same place for a seed, whatever else changes. */
function place({ fileName, location: { start, end }, mutatorName, replacement }) {
  const file = relative(process.cwd(), fileName).replace(/^.*?\bsrc\//, 'src/');
  const name = JSON.stringify([MUTANTS_SEED, file, start, end, mutatorName, replacement]);
  return createHash('sha256').update(name).digest().readUInt32BE() / 2 ** 32;
}

class Draw {
  async init() {}

  async check(mutants) {
    const results = mutants.map((mutant) => [
      mutant.id,
      place(mutant) < Number(MUTANTS_SHARE)
        ? { status: CheckStatus.Passed }
        : { status: CheckStatus.CompileError, reason: 'not drawn' },
    ]);
    return Object.fromEntries(results);
  }

  async group(mutants) {
    return [mutants.map(({ id }) => id)];
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'draw', Draw)];
