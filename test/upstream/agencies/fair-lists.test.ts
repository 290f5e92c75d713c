// Clients share the requests to an agency's API: one title does not wait for a thousand others.

import { expect, test } from 'vitest';
import { CSL } from '../../../src/works/metadata-format.ts';
import { agencyWorks } from '../../support/agencies/agency-works.ts';
import { requesterAt } from '../clients.ts';
import { handleName } from '../proxy-under-test.ts';
import { agencyStage } from './agency-stage.ts';

test.each(['Crossref', 'DataCite'] as const)(
  'beside 1,000 titles of %s, each title of another client comes within two seconds',
  async (agency) => {
    const many = agencyWorks({ count: 1_000, agency });
    const few = agencyWorks({ count: 12, agency, firstNumber: 1_000 });
    const { apis, request, gateway, time } = await agencyStage([...many, ...few]);
    const waits: number[] = [];
    async function askForFew(): Promise<void> {
      for (const { name, title } of few) {
        await time.sleep(700);
        const began = time.now();
        const requester = requesterAt('127.0.0.2');
        const answer = await gateway.app.directory.describe?.(handleName(name), CSL, { requester });
        expect(answer?.content).toMatchObject({ title });
        waits.push(time.now() - began);
      }
    }
    await time.drive(Promise.all([request(many), askForFew()]));
    expect(Math.max(...waits)).toBeLessThanOrEqual(2_000);
    expect(apis.breaches).toEqual([]);
  },
);
