const ESCAPES: Record<string, string> = { '"': '&quot;', '&': '&amp;', "'": '&#x27;', '<': '&lt;', '>': '&gt;' }

/** Escapes text for HTML, between tags or in a quoted attribute, in the same way as React. */
export const escapeHtml = (text: string): string =>
  /["'&<>]/.test(text) ? text.replace(/["'&<>]/g, (sign) => ESCAPES[sign] ?? sign) : text

const UNESCAPES = Object.fromEntries(Object.entries(ESCAPES).map(([sign, entity]) => [entity, sign]))

/** The inverse of `escapeHtml`. */
export const unescapeHtml = (html: string): string =>
  html.replace(/&(?:quot|amp|lt|gt|#x27);/g, (entity) => UNESCAPES[entity] ?? entity)
