const ESCAPES: Record<string, string> = { '"': '&quot;', '&': '&amp;', '<': '&lt;', '>': '&gt;' }
/** What no XML 1.0 document may hold, not even escaped: most control characters and halves of pairs. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/** Text for XML, between tags or in a quoted attribute. */
export const escapeXml = (text: string): string =>
  text.replace(FORBIDDEN, '').replace(/["&<>]/g, (sign) => ESCAPES[sign]!)

/** One element on a line of its own; undefined attributes and texts are left out. */
export function element(
  name: string,
  content: string | number | undefined,
  attributes: Record<string, string | number | undefined> = {},
): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`)
    .join('')
  return content === undefined ? `<${name}${written}/>` : `<${name}${written}>${escapeXml(String(content))}</${name}>`
}

/** An element around others. */
export const parent = (name: string, children: readonly string[], attributes = ''): string =>
  `<${name}${attributes}>\n${children.join('\n')}\n</${name}>`

export const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** `2026-11-24T09:30:00Z`, of milliseconds. */
export const timestamp = (time: number): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')
