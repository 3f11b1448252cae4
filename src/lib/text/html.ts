const ESCAPES: Record<string, string> = { '"': '&quot;', '&': '&amp;', "'": '&#x27;', '<': '&lt;', '>': '&gt;' }

/** Text for HTML, between tags or in a quoted attribute, written as React writes it. */
export const escapeHtml = (text: string): string =>
  /["'&<>]/.test(text) ? text.replace(/["'&<>]/g, (sign) => ESCAPES[sign]!) : text

const UNESCAPES = Object.fromEntries(Object.entries(ESCAPES).map(([sign, entity]) => [entity, sign]))

/** What `escapeHtml` was given. */
export const unescapeHtml = (html: string): string =>
  html.replace(/&(?:quot|amp|lt|gt|#x27);/g, (entity) => UNESCAPES[entity]!)
