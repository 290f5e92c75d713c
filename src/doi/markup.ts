// Text that goes into HTML or XML.

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for element content and for attribute values in quotation marks. */
export function escapeMarkup(text: string): string {
  // Most texts have none of them, and to look is sooner done than to replace.
  if (!/[&<>"']/.test(text)) return text;
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
