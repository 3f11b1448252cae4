import * as z from 'zod/mini'
import { PLACE_TEXTS, SEARCH_MAX_CHARS } from '#features/places/places.ts'
import { countCharacters } from '#lib/text/text.ts'

/** Distances at which a missing breed may be announced, km. */
export const ALERT_DISTANCES_KM = [10, 25, 50, 100] as const
export type AlertDistance = (typeof ALERT_DISTANCES_KM)[number]

/** How near a missing breed must appear for its alert: a distance, the zone's province, or null for no alerts. */
export type AlertRange = AlertDistance | 'province' | null

/** A member's home zone, which nobody else sees. */
export interface HomeZone {
  /** The gazetteer's name: «Chamberí, Madrid». */
  zone: string
  /** INE number of its province; empty abroad. */
  province: string
  alert: AlertRange
  /** Whether the weekly mail names missing breeds. */
  digest: boolean
}

export const HOME_ZONE_TEXTS = {
  empty: 'Escribe tu pueblo, tu barrio o tu provincia.',
  long: PLACE_TEXTS.long,
  unknown: 'No conocemos ese lugar. Prueba con el nombre del pueblo o de la provincia.',
  tooWide: 'Ese lugar es demasiado grande. Elige un pueblo, un barrio o una provincia.',
  alert: 'Elige una distancia de la lista.',
  noProvince: 'Ese lugar no está en ninguna provincia de España. Elige una distancia.',
  digest: 'Elige sí o no para el resumen semanal.',
  tooMany: 'Has cambiado de zona muchas veces. Espera un poco e inténtalo de nuevo.',
} as const

/** UTF-16 code units before trimming: longer texts are refused unread. */
const MAX_ZONE_CODE_UNITS = 20 * SEARCH_MAX_CHARS

const zone = z.pipe(
  z.pipe(
    z.string(HOME_ZONE_TEXTS.empty).check(z.maxLength(MAX_ZONE_CODE_UNITS, HOME_ZONE_TEXTS.long)),
    z.transform((text: string) => text.normalize('NFC').trim().replace(/\s+/g, ' ')),
  ),
  z.string().check(
    z.minLength(1, HOME_ZONE_TEXTS.empty),
    z.refine((text) => countCharacters(text) <= SEARCH_MAX_CHARS, HOME_ZONE_TEXTS.long),
  ),
)

/** The body of `PUT /api/profile/home-zone`. Without `alert` nothing is announced; without `digest` the weekly mail names breeds. */
export const homeZoneInput = z.object({
  zone,
  alert: z._default(z.nullable(z.literal([...ALERT_DISTANCES_KM, 'province'], HOME_ZONE_TEXTS.alert)), null),
  digest: z._default(z.boolean(HOME_ZONE_TEXTS.digest), true),
})
export type HomeZoneInput = z.output<typeof homeZoneInput>

/** A range as a field of the page's form, and back; an unknown value stays as it is, for the schema to refuse. */
export const toAlertField = (alert: AlertRange): string => (alert === null ? 'no' : String(alert))
const readAlertField = (value: string): unknown =>
  value === '' || value === 'no' ? null : value === 'province' ? value : Number(value)

/** Reads the page's form, to be validated by `homeZoneInput`. */
export const parseHomeZoneForm = (form: FormData) => ({
  zone: String(form.get('zone') ?? ''),
  alert: readAlertField(String(form.get('alert') ?? '')),
  // A member without an e-mail address has no switch for it: nothing is mailed to them.
  digest: form.has('digest') || !form.has('has_digest'),
})

/** Why the page's form was refused, as a word of its address. */
const REFUSALS = {
  vacio: HOME_ZONE_TEXTS.empty,
  largo: HOME_ZONE_TEXTS.long,
  lugar: HOME_ZONE_TEXTS.unknown,
  grande: HOME_ZONE_TEXTS.tooWide,
  distancia: HOME_ZONE_TEXTS.alert,
  provincia: HOME_ZONE_TEXTS.noProvince,
  muchos: HOME_ZONE_TEXTS.tooMany,
} as const

/** The word for a sentence; undefined for one of another page. */
export const refusalWord = (sentence: string): string | undefined =>
  Object.entries(REFUSALS).find(([, text]) => text === sentence)?.[0]

/** What the page shows of its address: the field that was refused with its sentence. */
export function readRefusal(word: string | null): { field: 'zone' | 'alert'; sentence: string } | null {
  if (word === null || !Object.hasOwn(REFUSALS, word)) return null
  const field = word === 'distancia' || word === 'provincia' ? 'alert' : 'zone'
  return { field, sentence: REFUSALS[word as keyof typeof REFUSALS] }
}
