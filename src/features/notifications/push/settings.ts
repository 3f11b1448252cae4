import * as z from 'zod/mini'
import type { Notification, NotificationType } from '../notifications.ts'
import { type QuietHours, normaliseTimeZone } from './quiet-hours.ts'

/** A switch: what it turns off (what goes to devices, lines of the bell, or of the weekly mail), and its words. */
type Switch = readonly [place: 'device' | 'bell' | 'mail', label: string, hint?: string]

/** The switches of `/perfil/avisos`, in the form's order, all on by default. All but `digest` are columns of `notice_settings`. */
export const SWITCHES = {
  likes: ['device', 'Likes'],
  comments: ['device', 'Comentarios'],
  others: ['device', 'Lo demás'],
  follows: ['bell', 'Lo que sigues', 'Cuando hay perros nuevos, una vez hasta que los ves.'],
  memories: ['bell', 'Tal día', 'Un perro tuyo de hace un año, como mucho uno al día.'],
  digest: ['mail', 'Resumen semanal', 'Los lunes, solo si tienes algo sin ver.'],
  follows_digest: ['mail', 'Lo que sigues, en el resumen', 'Cuántos perros nuevos hay desde el último.'],
} as const satisfies Record<string, Switch>

/** The switch of each type on devices. Clients from before the others send these alone. */
const TYPE_SWITCHES = { like: 'likes', comment: 'comments', other: 'others' } as const
type TypeSwitch = (typeof TYPE_SWITCHES)[NotificationType]

export type SwitchName = keyof typeof SWITCHES
export type StoredSwitch = Exclude<SwitchName, 'digest'>
export const SWITCH_LIST = Object.entries(SWITCHES) as [SwitchName, Switch][]
export const SWITCH_NAMES = SWITCH_LIST.map(([name]) => name)
export const STORED_SWITCHES = SWITCH_NAMES.filter((name) => name !== 'digest')

/** An object with a value for each switch. */
export const eachSwitch = <Name extends SwitchName, Value>(names: readonly Name[], value: (name: Name) => Value) =>
  Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, Value>

/** A member's settings for notifications. */
export interface NoticeSettings extends Record<StoredSwitch, boolean> {
  /** The hours without push messages; null for none. */
  quiet: QuietHours | null
  /** The IANA time zone of `quiet`. */
  time_zone: string
}
/** Settings to be saved: a switch that is left out stays as it is. */
export type SavedSettings = Pick<NoticeSettings, TypeSwitch | 'quiet' | 'time_zone'> & {
  [Name in StoredSwitch]?: boolean | undefined
}

export const DEFAULT_SETTINGS = {
  ...eachSwitch(STORED_SWITCHES, () => true),
  quiet: { from: 23 * 60, to: 8 * 60 },
  time_zone: 'Europe/Madrid',
} satisfies NoticeSettings

/** Whether a notification that was queued goes to devices. A topic with settings of its own was queued by these. */
export const isPushWanted = (
  settings: NoticeSettings,
  { type, topic }: Pick<Notification, 'type' | 'topic'>,
): boolean => topic === 'lost' || settings[TYPE_SWITCHES[type]]

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

const isOfType = (name: StoredSwitch) => Object.values<string>(TYPE_SWITCHES).includes(name)
const switchInputs = eachSwitch(STORED_SWITCHES, (name) => (isOfType(name) ? choice : z.optional(choice))) as {
  [Name in StoredSwitch]: Name extends TypeSwitch ? typeof choice : z.ZodMiniOptional<typeof choice>
}

/** The body of `PUT /api/account/notices`. Hours as «23:00»; equal ones mean no quiet hours. */
export const settingsInput = z.object({
  ...switchInputs,
  quiet: z.pipe(
    z.nullable(z.object({ from: clock, to: clock }, SETTINGS_TEXTS.time)),
    z.transform((quiet) => (quiet && quiet.from !== quiet.to ? quiet : null)),
  ),
  time_zone: zone,
})
