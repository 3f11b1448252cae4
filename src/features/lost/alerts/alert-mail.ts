import { lostPaths } from '#lib/lost-paths.ts'
import { paths } from '#lib/paths.ts'
import { formatDateTime } from '#lib/dates.ts'
import { escapeHtml } from '#lib/text/html.ts'
import { mailButton, mailPage, unsubscribeHeaders } from '#lib/text/mail-page.ts'
import { dogInSentence } from '#lib/text/names.ts'
import { shownZone } from '#lib/text/zone.ts'
import { distanceBand } from './lost-alerts.ts'

export interface LostAlertMail {
  alias: string
  /** The dog's name; empty for none. */
  name: string
  /** The path of its page, and of its photo; null for none. */
  path: string
  photo: string | null
  zone: string
  since: number
  /** From the reader's zone. */
  km: number
  /** The token that unsubscribes without a session. */
  token: string
}

/** Composes the mail about a lost dog. @param site the public origin */
export function lostAlertMail(site: string, { alias, name, path, photo, zone, since, km, token }: LostAlertMail) {
  const dog = dogInSentence(name)
  const subject = `Se ha perdido ${dog}, ${distanceBand(km)} de tu zona`
  const place = zone === '' ? '' : ` cerca de ${shownZone(zone)}`
  const what = `Se ha perdido ${dog}${place}, ${distanceBand(km)} de tu zona. Falta desde el ${formatDateTime(since)}.`
  const advice = 'No corras detrás: huiría. Dilo en su página, y su gente lo sabrá enseguida.'
  const page = site + path
  const settings = site + lostPaths.lostAlerts
  const leave = site + paths.unsubscribe(token)
  const text = `¡Hola, ${alias}!

${what}

${advice}

${page}

Te escribimos porque pediste avisos de perros perdidos cerca. Para cambiarlos:
${settings}

Para no recibir más por email:
${leave}

Gracias por mirar,
Perrario
`
  const picture = photo
    ? `<p style="margin:0 0 20px"><img src="${escapeHtml(site + photo)}" alt="${escapeHtml(`Foto ${dogInSentence(name, 'de')}`)}" width="384" style="display:block;width:100%;max-width:384px;border-radius:14px"></p>\n`
    : ''
  const html = mailPage(
    escapeHtml(subject),
    `<p style="margin:0 0 20px;overflow-wrap:anywhere">¡Hola, ${escapeHtml(alias)}!</p>
${picture}<p style="margin:0 0 12px;font-weight:700;overflow-wrap:anywhere">${escapeHtml(what)}</p>
<p style="margin:0 0 20px">${advice}</p>
<p style="margin:0 0 24px">${mailButton(page, '¿Lo has visto?')}</p>
<p style="margin:0;color:#665547;font-size:14px">Te escribimos porque pediste <a href="${escapeHtml(settings)}" style="color:#665547">avisos de perros perdidos cerca</a>. <a href="${escapeHtml(leave)}" style="color:#665547">No recibir más por email</a></p>`,
  )
  return { subject, text, html, headers: unsubscribeHeaders(site, token) }
}
