import Negotiator from 'negotiator';

const FOR_PEOPLE = new Set(['text/html', 'application/xhtml+xml']);

/** Whether the media type that an Accept header likes best is a concrete one that is no page for people. */
export function wantsData(accept: string | null): boolean {
  const [best] = accept === null ? [] : new Negotiator({ headers: { accept } }).mediaTypes();
  return best !== undefined && !best.includes('*') && !FOR_PEOPLE.has(best.toLowerCase());
}
