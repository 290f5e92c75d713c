// The card of a link: shown on hover and keyboard focus, over the page, so that nothing moves (WCAG 1.4.13).

const SHOW_AFTER_MS = 150;
/** The time to move the pointer from the link to the card. */
const HIDE_AFTER_MS = 250;
const GAP = 6;

export interface Card {
  close(): void;
}

/**
 * @param host the pointer over it, and the focus in it, show the card
 * @param card a popover in the shadow of `host`
 * @param isUseful whether the card says more than the page already shows
 */
export function createCard(host: HTMLElement, card: HTMLElement, isUseful: () => boolean): Card {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let listening: AbortController | undefined;

  const after = (milliseconds: number, act: () => void) => {
    clearTimeout(timer);
    timer = setTimeout(act, milliseconds);
  };

  function open(): void {
    clearTimeout(timer);
    if (listening || !host.isConnected || !isUseful()) return;
    listening = new AbortController();
    const { signal } = listening;
    card.showPopover();
    place();
    addEventListener('scroll', place, { signal, capture: true, passive: true });
    addEventListener('resize', place, { signal });
    addEventListener('keydown', ({ key }) => key === 'Escape' && close(), { signal, capture: true });
  }

  function close(): void {
    clearTimeout(timer);
    if (!listening) return;
    listening.abort();
    listening = undefined;
    if (card.isConnected) card.hidePopover();
  }

  function closeUnlessInUse(): void {
    if (!host.matches(':hover, :focus-within')) close();
  }

  /** Below the last line of the link, or above its first where the window ends. */
  function place(): void {
    const lines = host.getClientRects();
    const [first, last] = [lines[0], lines[lines.length - 1]];
    if (!first || !last) {
      close();
      return;
    }
    const { offsetWidth, offsetHeight } = card;
    const { clientWidth, clientHeight } = document.documentElement;
    const below = last.bottom + GAP;
    const top = below + offsetHeight > clientHeight ? first.top - GAP - offsetHeight : below;
    card.style.top = `${Math.max(GAP, top)}px`;
    card.style.left = `${Math.max(GAP, Math.min(last.left, clientWidth - offsetWidth - GAP))}px`;
  }

  // Browsers before 2024 have no popover: their users get mark and accessible name alone.
  if ('showPopover' in card) {
    host.addEventListener('pointerenter', ({ pointerType }) => {
      // A tap follows the link.
      if (pointerType !== 'touch') after(SHOW_AFTER_MS, open);
    });
    host.addEventListener('pointerleave', () => after(HIDE_AFTER_MS, closeUnlessInUse));
    host.addEventListener('focusin', (event) => {
      if ((event.composedPath()[0] as Element).matches(':focus-visible')) open();
    });
    host.addEventListener('focusout', () => after(0, closeUnlessInUse));
  }
  return { close };
}
