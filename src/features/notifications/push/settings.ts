import * as z from 'zod/mini'
import { type QuietHours, normaliseTimeZone } from './quiet-hours.ts'

/** What a member wants to be told outside the site. */
export interface NoticeSettings {
  likes: boolean
  comments: boolean
  /** Whatever is neither: ownership, new breeds, the admin's words. */
  others: boolean
  /** When nothing rings; null: it always may. */
  quiet: QuietHours | null
  /** IANA name of the clock that `quiet` goes by. */
  time_zone: string
}

export const DEFAULT_SETTINGS: NoticeSettings = {
  likes: true,
  comments: true,
  others: true,
  quiet: { from: 23 * 60, to: 8 * 60 },
  time_zone: 'Europe/Madrid',
}

/** The clocks that the form offers: where our language is spoken. */
export const TIME_ZONES: Record<string, string> = {
  'Europe/Madrid': 'Península y Baleares',
  'Atlantic/Canary': 'Canarias',
  'America/Mexico_City': 'Ciudad de México',
  'America/Guatemala': 'Guatemala y Centroamérica',
  'America/Bogota': 'Bogotá, Lima y Quito',
  'America/Caracas': 'Caracas y La Paz',
  'America/Santiago': 'Santiago de Chile',
  'America/Argentina/Buenos_Aires': 'Buenos Aires y Montevideo',
}

export const SETTINGS_TEXTS = {
  choice: 'Elige sí o no para cada tipo de aviso.',
  time: 'Escribe las horas como 23:00.',
  zone: 'Elige una zona horaria de la lista.',
} as const

/** «23:05» of 1385. */
export const clockText = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

const choice = z.boolean(SETTINGS_TEXTS.choice)
const clock = z.pipe(
  z.string(SETTINGS_TEXTS.time).check(z.regex(/^([01]\d|2[0-3]):[0-5]\d(:\d\d)?$/, SETTINGS_TEXTS.time)),
  z.transform((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5))),
)

/** Node calls some of the form's own zones by an older name. */
const zone = z.pipe(
  z.string(SETTINGS_TEXTS.zone).check(z.maxLength(64, SETTINGS_TEXTS.zone)),
  z.transform((name: string, ctx): string => {
    const known = Object.hasOwn(TIME_ZONES, name) ? name : normaliseTimeZone(name)
    if (known === null) ctx.issues.push({ code: 'custom', input: name, message: SETTINGS_TEXTS.zone })
    return known ?? name
  }),
)

/** `PUT /api/account/notices`; hours as «23:00», and as many as none where they begin and end at once. */
export const settingsInput = z.object({
  likes: choice,
  comments: choice,
  others: choice,
  quiet: z.pipe(
    z.nullable(z.object({ from: clock, to: clock }, SETTINGS_TEXTS.time)),
    z.transform((quiet) => (quiet && quiet.from !== quiet.to ? quiet : null)),
  ),
  time_zone: zone,
})
