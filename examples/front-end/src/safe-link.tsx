const safeProtocols = ['http:', 'https:', 'ftp:'];

function isSafe(url: string): boolean {
  return URL.canParse(url) && safeProtocols.includes(new URL(url).protocol);
}

/** A link where the URL is one to follow, else its text alone: what a directory says is never trusted. */
export function SafeLink({ url, text = url }: { readonly url: string; readonly text?: string }) {
  if (!isSafe(url)) return <bdi>{text}</bdi>;
  return (
    <a href={url} rel="noreferrer noopener">
      <bdi>{text}</bdi>
    </a>
  );
}
