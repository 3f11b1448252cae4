import * as z from 'zod/mini'
import { PLACE_TEXTS, SEARCH_MAX_CHARS } from '#features/places/places.ts'
import { countCharacters } from '#lib/text/text.ts'
import type { AlertScope } from '../lost.ts'

/** Radii of alerts, km; others see distances as one of them, too. */
export const ALERT_RADII_KM = [2, 5, 10, 20, 50] as const
export type AlertRadius = (typeof ALERT_RADII_KM)[number]

/** Chosen unless the member says otherwise. */
export const DEFAULT_RADIUS_KM: AlertRadius = 10

/** The most alerts that a member gets in a day of Madrid. */
export const ALERTS_PER_DAY = 3
/** How many of them may be of new members' dogs (`near`). The rest is for other dogs, so that many new accounts cannot use up a member's alerts. */
export const NEAR_ALERTS_PER_DAY = 2

/**
 * Dogs of one owner of which others are alerted within ALERTED_DOGS_DAYS.
 */
export const ALERTED_DOGS = 2
/** The same for an owner who is new (not `isEstablished`). */
export const ALERTED_DOGS_OF_NEW_MEMBERS = 1
export const ALERTED_DOGS_DAYS = 30
/** How far alerts of a new owner's dogs reach, km. */
export const NEAR_KM = 10

/** Who is alerted of a case, as its owner reads it. */
export const ALERT_SCOPE_TEXTS: Record<AlertScope, string> = {
  all: 'Avisamos a quien ha pedido avisos de perros perdidos cerca.',
  near: `Avisamos a quien ha pedido avisos a menos de ${NEAR_KM} km de allí. Como tu cuenta es nueva, la alerta no llega más lejos, pero en la lista y en el mapa lo ve todo el mundo.`,
  dog: 'Esta vez no avisamos a los vecinos: ya lo hicimos con este perro en los últimos 30 días.',
  owner: `Esta vez no avisamos a los vecinos: en los últimos ${ALERTED_DOGS_DAYS} días ya les hemos avisado de otros perros tuyos.`,
}

/** Where and how a member is alerted of lost dogs; nobody else sees it. */
export interface LostAlerts {
  /** The gazetteer's name: «Chamberí, Madrid». */
  zone: string
  radius_km: AlertRadius
  breaks_quiet: boolean
  by_mail: boolean
  by_push: boolean
}

export const LOST_ALERT_TEXTS = {
  empty: 'Escribe tu pueblo o tu barrio.',
  long: PLACE_TEXTS.long,
  unknown: 'No conocemos ese lugar. Prueba con el nombre del pueblo o del barrio.',
  tooWide: 'Ese lugar es demasiado grande. Elige un pueblo o un barrio.',
  radius: 'Elige una distancia de la lista.',
  choice: 'Elige sí o no para cada aviso.',
  tooMany: 'Has cambiado tus avisos muchas veces. Espera un poco e inténtalo de nuevo.',
} as const

/** UTF-16 code units before trimming: longer texts are refused unread. */
const MAX_ZONE_CODE_UNITS = 20 * SEARCH_MAX_CHARS

const zone = z.pipe(
  z.pipe(
    z.string(LOST_ALERT_TEXTS.empty).check(z.maxLength(MAX_ZONE_CODE_UNITS, LOST_ALERT_TEXTS.long)),
    z.transform((text: string) => text.normalize('NFC').trim().replace(/\s+/g, ' ')),
  ),
  z.string().check(
    z.minLength(1, LOST_ALERT_TEXTS.empty),
    z.refine((text) => countCharacters(text) <= SEARCH_MAX_CHARS, LOST_ALERT_TEXTS.long),
  ),
)
const choice = (isOn: boolean) => z._default(z.boolean(LOST_ALERT_TEXTS.choice), isOn)

/** The body of `PUT /api/lost-alerts`. */
export const lostAlertsInput = z.object({
  zone,
  radius_km: z._default(z.literal([...ALERT_RADII_KM], LOST_ALERT_TEXTS.radius), DEFAULT_RADIUS_KM),
  breaks_quiet: choice(false),
  by_mail: choice(false),
  by_push: choice(true),
})
export type LostAlertsInput = z.output<typeof lostAlertsInput>

/** Reads the page's form, to be validated by `lostAlertsInput`; an unchecked box means no. */
export const parseLostAlertsForm = (form: FormData) => ({
  zone: String(form.get('zone') ?? ''),
  radius_km: Number(form.get('radius_km') ?? DEFAULT_RADIUS_KM),
  breaks_quiet: form.has('breaks_quiet'),
  by_mail: form.has('by_mail'),
  by_push: form.has('by_push'),
})

/** A distance as others may know it: «a menos de 5 km». Up to the longest radius. */
export const distanceBand = (km: number): string =>
  `a menos de ${ALERT_RADII_KM.find((radius) => km <= radius) ?? ALERT_RADII_KM.at(-1)} km`
