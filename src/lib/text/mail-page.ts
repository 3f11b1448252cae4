import { paths } from '../paths.ts'
import { escapeHtml } from './html.ts'

/** A red button in HTML that mail programs render. */
export const mailButton = (href: string, text: string): string =>
  `<a href="${escapeHtml(href)}"
style="display:inline-block;padding:13px 24px;background:#c8321a;color:#ffffff;border-radius:14px;font-weight:700;text-decoration:none">${text}</a>`

/**
 * The headers by which mail programs unsubscribe with one click (RFC 8058, which requires https).
 * @param site the public origin
 * @param token of the mail's last link, whose page has a button that does the same
 */
export const unsubscribeHeaders = (site: string, token: string): Record<string, string> => ({
  'List-Unsubscribe': `<${site}${paths.api.unsubscribe(token)}>`,
  ...(site.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
})

/** The HTML of every mail: a card under the site's name. Styles are inline, since mail programs ignore others. */
export const mailPage = (title: string, body: string): string => `<!doctype html>
<html lang="es">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
</head>
<body style="margin:0;padding:24px 12px;background:#fbf6ec;color:#33261d;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:440px;margin:0 auto;padding:32px 28px;background:#fffdf9;border:1px solid #e6dac6;border-radius:20px">
<p style="margin:0 0 20px;font-size:24px;font-weight:800">Perrario <span style="color:#c8321a">●</span></p>
${body}
</div>
</body>
</html>
`

/** A mail, the same in text and in HTML. */
export interface MailContent {
  subject: string
  text: string
  html: string
}

/** A paragraph of a mail, which the HTML may say in its own way: that is written as it is. A link is a button there. */
type MailBlock =
  | string
  | { text: string; html: string }
  | { small: string }
  | { code: string }
  | { link: string; label: string }

const SMALL = 'margin:0 0 12px;color:#665547;font-size:14px'

function blockHtml(block: MailBlock, greeting: string): string {
  if (typeof block === 'string') return `<p style="margin:0 0 20px">${greeting}${escapeHtml(block)}</p>`
  if ('html' in block) return `<p style="margin:0 0 20px">${greeting}${block.html}</p>`
  if ('small' in block) return `<p style="${SMALL}">${escapeHtml(block.small)}</p>`
  if ('link' in block) return `<p style="margin:0 0 24px">${mailButton(block.link, block.label)}</p>`
  return `<p style="margin:0 0 24px;font-size:30px;font-weight:800;letter-spacing:6px">${block.code}</p>`
}

const copyOf = (block: MailBlock): string[] =>
  typeof block === 'object' && 'link' in block
    ? [
        `<p style="${SMALL};overflow-wrap:anywhere">Si el botón no funciona, copia esta dirección:<br>${escapeHtml(block.link)}</p>`,
      ]
    : []

/** Writes a mail to a person. The address of its button stands at the end of the HTML as well. @param farewell before the site's name */
export const writeMail = (
  subject: string,
  title: string,
  blocks: readonly MailBlock[],
  farewell = 'Hasta ahora,\n',
): MailContent => ({
  subject,
  text: [
    '¡Hola!',
    ...blocks.map((block) => (typeof block === 'string' ? block : Object.values(block)[0])),
    `${farewell}Perrario\n`,
  ].join('\n\n'),
  html: mailPage(
    escapeHtml(title),
    [...blocks.map((block, index) => blockHtml(block, index === 0 ? '¡Hola! ' : '')), ...blocks.flatMap(copyOf)].join(
      '\n',
    ),
  ),
})
