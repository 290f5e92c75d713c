// Attacks with very many uploads. During each attack, a client with an API key uploads three files, one after the other,
// each within two seconds. Its uploads must succeed.

import { requestBytes } from '../../../bench/http-bytes.ts';
import { type Attack, type Each, type Options, uncachedNames } from '../attack.ts';
import { deleteJobs, JOB_HEADERS, onJobs, startJob, withKey } from '../job-requests.ts';
import { letters, list, oneOf, times } from '../requests.ts';

type Headers = Readonly<Record<string, string>>;

const OFFLINE = '/jobs?fields=name';
const TINY = '10.1000/182\n';
const upload = (body: string, headers: Headers = JOB_HEADERS, target = OFFLINE): Buffer =>
  requestBytes({ target, headers: { connection: 'close', ...headers }, body });
/** The head of an upload and the first bytes of its file. The rest never comes. */
const unfinished = (bytes: number, begin = TINY, headers: Headers = JOB_HEADERS): Buffer =>
  upload(begin, { ...headers, 'content-length': String(bytes) });
/** A job that looks up names for about a second. */
const lookUps = (): Buffer =>
  upload(`${uncachedNames(100, 'slow').join('\n')}\n`, JOB_HEADERS, '/jobs?fields=exists');
/** A file whose result can be large, so that it reserves much space. */
const LARGE_RESULT = `${times(20_000, (n) => `10.1/${n}`, '\n')}\n`;

const held = (requests: number, from = 'many'): Options => ({ requests, from, leaveAfterMs: 6_000 });
const WRONG_FILES = ['', '\n', 'a,b\n', '{"a":1}\n[', '"', 'doi\tdoi\n', '\0', `${letters(70_000)}\n`];

/** For each attack: the n-th request, and its load. */
const FLOODS: Readonly<Record<string, readonly [bytes: Each<Buffer>, load: Options]>> = {
  '1,000 tiny files from many addresses': [upload(TINY), { requests: 1_000, from: 'many' }],
  '3,000 tiny files from one address': [upload(TINY), { requests: 3_000, atOnce: 50 }],
  '1,000 tiny files with an API key': [
    upload(TINY, withKey('flooding')),
    { requests: 1_000, clean: deleteJobs(withKey('flooding')) },
  ],
  '1,000 jobs with look-ups from many addresses': [lookUps, { requests: 1_000, from: 'many' }],
  '700 uploads that never end, many addresses': [unfinished(1_000_000), held(700)],
  '2,000 uploads that never end, one address': [unfinished(50), held(2_000, '127.9.8.1')],
  '500 uploads that never end, with an API key': [
    unfinished(1_000_000, TINY, withKey('flooding')),
    held(500),
  ],
  '1,000 uploads of one byte in each second': [
    upload(times(50, TINY, '')),
    { ...held(1_000), write: { pieceBytes: 200, everyMs: 1_000 } },
  ],
  '2,000 clients that leave within their upload': [
    unfinished(1_000_000, times(2_000, TINY, '')),
    { requests: 2_000, atOnce: 100, from: 'many', leaveAfterMs: 40, expect: 'cut' },
  ],
  '2,000 files that are no tables': [
    (n) => upload(oneOf(n, ...WRONG_FILES)),
    { requests: 2_000, atOnce: 200, from: 'many' },
  ],
  '300 files that reserve much space': [
    upload(LARGE_RESULT, JOB_HEADERS, '/jobs?fields=name,title,citation,bibtex'),
    { requests: 300, atOnce: 50, from: 'many' },
  ],
  '2,000 files with unknown API keys': [
    (n) => upload(TINY, { ...JOB_HEADERS, authorization: `Bearer ${n}` }),
    { requests: 2_000, atOnce: 200, from: 'many' },
  ],
  '300 connections with 30 files in one write': [
    Buffer.concat(list(30, () => requestBytes({ target: OFFLINE, headers: JOB_HEADERS, body: TINY }))),
    { ...held(300), responses: 30 },
  ],
};

/** Starts long jobs of other clients first, and deletes them afterwards. */
function besideJobs(attack: Attack, count: number): Attack {
  const jobs: string[] = [];
  const { clean } = attack;
  return {
    ...attack,
    async prepare(port) {
      while (jobs.length < count) jobs.push(await startJob(port, 9_000));
    },
    async clean(port, created) {
      await clean?.(port, created);
      await deleteJobs()(port, jobs.splice(0));
    },
  };
}

function withHonestKey(name: string, [bytes, { requests = 1, ...load }]: readonly [Each<Buffer>, Options]) {
  const flood = onJobs(`uploads: ${name}`, bytes, { requestCounts: [requests], ...load });
  const honest = onJobs(
    `uploads with an API key, during: ${name}`,
    upload(times(750, TINY, ''), withKey('honest')),
    {
      requestCounts: [3],
      atOnce: 1,
      write: { pieceBytes: 1_000, everyMs: 200 },
      from: '127.7.7.9',
      expect: 'success',
      clean: deleteJobs(withKey('honest')),
    },
  );
  return [...flood, ...honest].map((attack) => ({ ...attack, group: name }));
}

const [first, ...others] = Object.entries(FLOODS).map(([name, flood]) => withHonestKey(name, flood));
const besideLongJobs = (first ?? []).map((attack, at): Attack => {
  const [name, group] = [`${attack.name}, beside ten long jobs`, `${attack.group}, beside ten long jobs`];
  return { ...(at === 0 ? besideJobs(attack, 10) : attack), name, group };
});

export const uploadAttacks: readonly Attack[] = [...(first ?? []), ...others.flat(), ...besideLongJobs];
