/**
 * Inline: nothing takes part in the layout; the mark needs a line height of 1.5. Row: two lines in a padding of 3em, which the page's own CSS can reserve
 * before this script is loaded. A mark brings its own background: its contrast does not depend on the page.
 */
export const style = `
:host{position:relative}
:host([hidden]){display:none}
:host([layout=row][gateway]){display:block;padding-block-end:3em}
[part~=mark]{position:absolute;inset-block-start:.2em;inset-inline-start:0;translate:0 -100%;z-index:1;
padding-inline:.4em;border-radius:.25em;outline:1px solid transparent;outline-offset:-1px;
font:700 clamp(.5625rem,.6em,.75rem)/1.15 system-ui,sans-serif;letter-spacing:.05em;text-transform:uppercase;text-decoration:none;
max-inline-size:90vw;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;background:#a3291f;color:#fff;print-color-adjust:exact}
[part~=mild]{background:light-dark(#fbecc4,#3a3115);color:light-dark(#7a4b00,#f5c554)}
a[part]:hover{text-decoration:underline}
a[part]:focus-visible{outline:2px solid light-dark(#1d4f8f,#9cc3f2);outline-offset:1px}
[part~=lines]{position:absolute;inset-block-end:0;inset-inline:0;block-size:3em;line-height:1.5em;overflow:hidden}
[part~=title],[part~=status]{display:block}
[part~=lines]>*{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
[part~=status]{font-size:.875em;color:color-mix(in srgb,currentcolor 82%,transparent)}
[part~=lines] [part~=mark]{position:static;display:inline-block;translate:none;vertical-align:-.27em;margin-inline-end:.6em;padding:.15em .5em;font-size:.8em}
[part~=card]{display:none;position:fixed;inset:auto;margin:0;box-sizing:border-box;max-inline-size:min(26rem,100vw - 12px);padding:.6em .8em;
border:1px solid color-mix(in srgb,currentcolor 22%,transparent);border-radius:8px;
background:Canvas;color:CanvasText;font-size:.9375rem;line-height:1.4;white-space:normal;text-align:start;overflow-wrap:anywhere;
box-shadow:0 6px 24px -8px rgb(0 0 0/.35)}
[part~=card]:popover-open{display:block}
[part~=card] [part~=title]{font-weight:600}
[part~=card] [part~=title]+[part~=status]{margin-block-start:.2em}
`;
