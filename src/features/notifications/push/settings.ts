import * as z from 'zod/mini'
import { type QuietHours, normaliseTimeZone } from './quiet-hours.ts'

/** A member's settings for push notifications. */
export interface NoticeSettings {
  likes: boolean
  comments: boolean
  /** All other types: ownership, new breeds, messages of the admin. */
  others: boolean
  /** The hours without push messages; null for none. */
  quiet: QuietHours | null
  /** The IANA time zone of `quiet`. */
  time_zone: string
  /** Whether the bell shows new dogs of what the member follows, which are never pushed. */
  follows: boolean
  /** The same in the weekly mail. */
  follows_digest: boolean
  /** «Tal día»: a dog of a year ago, in the bell. */
  memories: boolean
}

type LaterSwitch = 'follows' | 'follows_digest' | 'memories'
/** Settings to be saved: a switch that is left out stays as it is. */
export type SavedSettings = Omit<NoticeSettings, LaterSwitch> & { [Name in LaterSwitch]?: boolean | undefined }

export const DEFAULT_SETTINGS = {
  likes: true,
  comments: true,
  others: true,
  quiet: { from: 23 * 60, to: 8 * 60 },
  time_zone: 'Europe/Madrid',
  follows: true,
  follows_digest: true,
  memories: true,
} satisfies NoticeSettings

/** The time zones that the form offers, of Spanish-speaking countries. */
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

/** Formats a minute of the day, 1385, as «23:05». */
export const clockText = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

const choice = z.boolean(SETTINGS_TEXTS.choice)
const clock = z.pipe(
  z.string(SETTINGS_TEXTS.time).check(z.regex(/^([01]\d|2[0-3]):[0-5]\d(:\d\d)?$/, SETTINGS_TEXTS.time)),
  z.transform((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5))),
)

/** The form's own names are valid as they are, because ICU canonicalises some of them to older names. */
const zone = z.pipe(
  z.string(SETTINGS_TEXTS.zone).check(z.maxLength(64, SETTINGS_TEXTS.zone)),
  z.transform((name: string, ctx): string => {
    const normalised = Object.hasOwn(TIME_ZONES, name) ? name : normaliseTimeZone(name)
    if (normalised === null) ctx.issues.push({ code: 'custom', input: name, message: SETTINGS_TEXTS.zone })
    return normalised ?? name
  }),
)

/** The body of `PUT /api/account/notices`. Hours as «23:00»; equal ones mean no quiet hours. */
export const settingsInput = z.object({
  likes: choice,
  comments: choice,
  others: choice,
  quiet: z.pipe(
    z.nullable(z.object({ from: clock, to: clock }, SETTINGS_TEXTS.time)),
    z.transform((quiet) => (quiet && quiet.from !== quiet.to ? quiet : null)),
  ),
  time_zone: zone,
  // Clients from before these switches send none of them: what is stored stays.
  follows: z.optional(choice),
  follows_digest: z.optional(choice),
  memories: z.optional(choice),
})
