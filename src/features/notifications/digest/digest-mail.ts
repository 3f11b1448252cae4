import { escapeHtml } from '#lib/text/html.ts'
import { mailButton, mailPage, unsubscribeHeaders } from '#lib/text/mail-page.ts'
import { paths } from '#lib/paths.ts'
import { truncateCharacters } from '#lib/text/text.ts'

export interface DigestItem {
  title: string
  content: string
  /** The page it leads to; null for the list of notifications. */
  path: string | null
}

/** What another feature adds to the mail, of its own: no member's words. */
export interface DigestPart {
  title: string
  lines: readonly { text: string; path: string }[]
  /** The page where its member switches it off. */
  settings: { label: string; path: string }
}

export interface Digest {
  alias: string
  /** The newest notifications. */
  items: readonly DigestItem[]
  /** The number of unread notifications in all. */
  unseen: number
  /** Follows the notifications; null for none. */
  part?: DigestPart | null
  /** The token that unsubscribes without a session. */
  token: string
}

const CONTENT_MAX_CHARS = 200
/** On one line, so that no member's text can imitate ours. */
const singleLine = (content: string) => {
  const text = content.replace(/\s+/g, ' ')
  const short = truncateCharacters(text, CONTENT_MAX_CHARS)
  return short === text ? text : `${short}…`
}
const titleWithColon = (title: string) => (/[!?.:]$/.test(title) ? title : `${title}:`)

/** Composes the weekly mail. @param site the public origin */
export function digestMail(site: string, { alias, items, unseen, part = null, token }: Digest) {
  const subject = unseen === 1 ? 'Tienes un aviso sin ver en Perrario' : `Tienes ${unseen} avisos sin ver en Perrario`
  const list = site + paths.notifications
  const leave = site + paths.unsubscribe(token)
  const more = unseen - items.length
  const rest = more === 0 ? '' : more === 1 ? 'Y uno más.' : `Y ${more} más.`
  const text = `¡Hola, ${alias}!

Esto ha pasado en Perrario y aún no lo has visto:

${items.map((item) => `- ${titleWithColon(item.title)} ${singleLine(item.content)}\n  ${site}${item.path ?? paths.notifications}`).join('\n\n')}
${rest && `\n${rest}\n`}
Tus avisos están en tu campana:

${list}
${part ? partText(site, part) : ''}
Te escribimos como mucho una vez a la semana, y solo si tienes algo sin ver. Para no recibir más resúmenes:

${leave}

Hasta pronto,
Perrario
`
  const toHtml = (item: DigestItem) =>
    `<p style="margin:0 0 14px;padding:0 0 14px;border-bottom:1px dashed #e6dac6;overflow-wrap:anywhere"><a href="${escapeHtml(site + (item.path ?? paths.notifications))}"
style="color:#33261d;font-weight:700">${escapeHtml(item.title)}</a><br>${escapeHtml(singleLine(item.content))}</p>`
  const html = mailPage(
    escapeHtml(subject),
    `<p style="margin:0 0 20px;overflow-wrap:anywhere">¡Hola, ${escapeHtml(alias)}! Esto ha pasado y aún no lo has visto:</p>
${items.map(toHtml).join('\n')}
${rest && `<p style="margin:0 0 14px;color:#665547">${rest}</p>`}
<p style="margin:10px 0 24px">${mailButton(list, 'Ver mis avisos')}</p>
${part ? partHtml(site, part) : ''}<p style="margin:0;color:#665547;font-size:14px">Te escribimos como mucho una vez a la semana, y solo si tienes algo sin ver. <a href="${escapeHtml(leave)}" style="color:#665547">No recibir más resúmenes</a></p>`,
  )
  return { subject, text, html, headers: unsubscribeHeaders(site, token) }
}

const partText = (site: string, { title, lines, settings }: DigestPart) => `
${title}:

${lines.map(({ text, path }) => `- ${text}\n  ${site}${path}`).join('\n')}

${settings.label}:
${site}${settings.path}
`

const partHtml = (site: string, { title, lines, settings }: DigestPart) =>
  `<p style="margin:0 0 8px;font-weight:700">${escapeHtml(title)}</p>
<ul style="margin:0 0 12px;padding-left:20px">
${lines.map(({ text, path }) => `<li style="margin:0 0 6px"><a href="${escapeHtml(site + path)}" style="color:#33261d">${escapeHtml(text)}</a></li>`).join('\n')}
</ul>
<p style="margin:0 0 24px;font-size:14px"><a href="${escapeHtml(site + settings.path)}" style="color:#665547">${escapeHtml(settings.label)}</a></p>
`
