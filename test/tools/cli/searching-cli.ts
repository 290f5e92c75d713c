// Runs `doi` with a gateway that searches the fake agencies. Their clock advances only while both wait.

import { sendInProcess } from '../../../src/tools/gateway-client/send-operation.ts';
import type { AgencyApisOptions } from '../../support/agencies/agency-apis.ts';
import { PUMPS } from '../../support/reference-list.ts';
import { CONTACT, startAgencyGateway } from '../../upstream/agencies/agency-gateway.ts';
import { type Run, runCli } from './run-cli.ts';

/** Crossref finds PUMPS, unless the options say otherwise. */
export async function createSearchingCli(
  options: Partial<AgencyApisOptions> = {},
  env: Readonly<Record<string, string>> = CONTACT,
) {
  const searched = { crossref: [PUMPS] };
  const { apis, gateway, time } = await startAgencyGateway([], env, { searched, ...options });
  const send = sendInProcess(gateway.app.fetch);
  const opened = { send, maxLookups: null, isSample: false, async close() {} };
  const waits: number[] = [];
  const wait = async (ms: number): Promise<void> => {
    waits.push(ms);
    await time.sleep(ms);
  };
  return {
    apis,
    /** milliseconds of each wait of the command */
    waits,
    run: (args: readonly string[], stdin = '', more: Run = {}) =>
      time.drive(runCli(args, { stdin, gateway: opened, wait, ...more })),
  };
}
