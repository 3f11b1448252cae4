const ESCAPES: Record<string, string> = { '"': '&quot;', '&': '&amp;', '<': '&lt;', '>': '&gt;' }
/** Characters that XML 1.0 forbids, even escaped: most control characters and lone surrogates. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/** Escapes text for XML, in content or a quoted attribute; forbidden characters are removed. */
export const escapeXml = (text: string): string =>
  text.replace(FORBIDDEN, '').replace(/["&<>]/g, (sign) => ESCAPES[sign] ?? sign)

/** Formats one element; undefined attributes are left out, and undefined content makes it empty. */
export function element(
  name: string,
  content: string | number | undefined,
  attributes: Record<string, string | number | undefined> = {},
): string {
  const attributeText = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`)
    .join('')
  return content === undefined
    ? `<${name}${attributeText}/>`
    : `<${name}${attributeText}>${escapeXml(String(content))}</${name}>`
}

/** Formats an element with child elements, one per line. */
export const parent = (name: string, children: readonly string[], attributes = ''): string =>
  `<${name}${attributes}>\n${children.join('\n')}\n</${name}>`

export const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** Formats a time in ms as `2026-11-24T09:30:00Z`. */
export const timestamp = (time: number): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')
