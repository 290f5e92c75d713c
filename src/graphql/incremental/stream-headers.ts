import type { Plugin } from 'graphql-yoga';

const STREAM = /^(?:multipart\/mixed|text\/event-stream)\b/;

const HEADERS = {
  'Cache-Control': 'no-store',
  // Proxies such as nginx would hold the parts back until there are enough of them.
  'X-Accel-Buffering': 'no',
};

/** What Yoga sets and Node knows better: how the connection goes on, and how the body is framed. "none" is no coding. */
const UNWANTED = ['Connection', 'Transfer-Encoding', 'Content-Encoding'];

/** Headers of answers in parts. */
export function useStreamHeaders(): Plugin {
  return {
    onResponse({ response: { headers } }) {
      if (!STREAM.test(headers.get('content-type') ?? '')) return;
      for (const name of UNWANTED) headers.delete(name);
      for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value);
    },
  };
}
