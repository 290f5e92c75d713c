// What waits for the directory and runs there, and what was taken back or refused.

import { Counter, Gauge, type Registry } from 'prom-client';

export function createDirectoryQueueCounts(registers: Registry[]) {
  const counts = { waiting: 0, running: 0, takenBack: 0, refused: 0 };
  const gauges = [
    ['waiting', 'Look-ups that wait for their turn to be sent to the directory, counted for each client.'],
    ['running', 'Requests that the directory is answering now.'],
  ] as const;
  for (const [what, help] of gauges) {
    new Gauge({
      name: `doi_gateway_directory_${what}`,
      help,
      registers,
      collect() {
        this.set(counts[what]);
      },
    });
  }
  const counters = [
    [
      'taken_back',
      'takenBack',
      'Requests that were ended, to be sent again, because another client had less than its share.',
    ],
    ['refused', 'refused', 'Look-ups that found no room in the queue or under the rate: GATEWAY_BUSY.'],
  ] as const;
  for (const [name, what, help] of counters) {
    new Counter({
      name: `doi_gateway_directory_${name}_total`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(counts[what]);
      },
    });
  }
  return counts;
}
