import { shownZone } from '#lib/text/zone.ts'
import type { LostMark } from './lost.ts'

const timeZone = 'Europe/Madrid'
const dayOfYear = new Intl.DateTimeFormat('es-ES', { timeZone, day: 'numeric', month: 'long' })
const dayAndYear = new Intl.DateTimeFormat('es-ES', { timeZone, dateStyle: 'long' })
const year = new Intl.DateTimeFormat('es-ES', { timeZone, year: 'numeric' })
const time = new Intl.DateTimeFormat('es-ES', { timeZone, hour: 'numeric', minute: '2-digit' })

/** «Falta desde el 27 de noviembre a las 12:31, en Getafe, Madrid.»; the year is named where it is not the present one. */
export function missingSinceSentence({ since, zone }: LostMark, now: number): string {
  const day = (year.format(since) === year.format(now) ? dayOfYear : dayAndYear).format(since)
  const clock = time.format(since)
  return `Falta desde el ${day} ${/^0?1:/.test(clock) ? 'a la' : 'a las'} ${clock}, en ${shownZone(zone)}.`
}
