import { capitalise } from '#lib/text/capitalise.ts'
import type { FieldErrors } from '#lib/errors.ts'
import { formatMadridInput, parseMadridInput } from '#lib/madrid-input.ts'
import { dogInSentence } from '#lib/text/names.ts'
import type { LostEnding, LostPrefill, OwnLostCase } from '../lost.ts'

/** What the page's form holds, as typed. */
export interface LostFormValues {
  since: string
  zone: string
  lat: string
  lon: string
  help: string
  /** `si`, `no` or nothing. */
  chip: string
}

/** The page of a dog's owner. */
export interface LostFormView {
  lost: OwnLostCase | null
  values: LostFormValues
  /** Sentences by field; `form` has one of none. */
  errors: FieldErrors
  /** What a form without errors has done: `?hecho=`. */
  done: string | null
  /** How the search has just ended; null while it goes on, and where nothing has ended. */
  ending: LostEnding | null
  /** The owner still has conversations, which are about found dogs, after an end. */
  hasMessages: boolean
}

/** The page of a hidden dog's owner. */
export interface HiddenSearchView {
  isOpen: boolean
  ending: LostEnding | null
  problem: string | null
}

/** What the page says after an end. */
export const ENDED_TEXTS: Record<LostEnding, string> = {
  home: '¡Qué alegría! La búsqueda ha terminado: hemos borrado el lugar exacto, los avistamientos y sus mensajes.',
  other: 'Hemos retirado el aviso y borrado el lugar exacto, los avistamientos y sus mensajes.',
}

/** The page's heading. */
export function lostFormTitle(
  name: string,
  { isLost, ending }: { isLost: boolean } & Pick<LostFormView, 'ending'>,
): string {
  if (isLost) return `Buscamos ${dogInSentence(name, 'a')}`
  if (ending === 'home') return `¡${capitalise(dogInSentence(name))} está en casa!`
  return ending === 'other' ? `Ya no buscamos ${dogInSentence(name, 'a')}` : `Se ha perdido ${dogInSentence(name)}`
}

/** Longer texts of a form are truncated: its fields hold no more. */
const MAX_FIELD_CODE_UNITS = 16_000

const CHIPS: Record<string, boolean | null> = { '': null, si: true, no: false }

const fieldOf = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === 'string' ? value.slice(0, MAX_FIELD_CODE_UNITS) : ''
}

/** The texts of a sent form, truncated, as the page shows them again. */
export const readLostForm = (form: FormData): LostFormValues => ({
  since: fieldOf(form, 'since'),
  zone: fieldOf(form, 'zone'),
  lat: fieldOf(form, 'lat'),
  lon: fieldOf(form, 'lon'),
  help: fieldOf(form, 'help'),
  chip: fieldOf(form, 'chip'),
})

const toNumber = (text: string): number | null => (text.trim() === '' ? null : Number(text))

/** The form's values as `lostInput` reads them. Whoever typed a zone means it, whatever point was chosen before. */
export const toLostInput = ({ since, zone, lat, lon, help, chip }: LostFormValues) => {
  const hasZone = zone.trim() !== ''
  return {
    since: parseMadridInput(since) ?? since,
    zone,
    lat: hasZone ? null : toNumber(lat),
    lon: hasZone ? null : toNumber(lon),
    help,
    chip: Object.hasOwn(CHIPS, chip) ? CHIPS[chip] : chip,
  }
}

/** What the form is filled in with: the open case, what its owner wrote in one that ended unanswered, or the present moment. */
export function initialValues(lost: OwnLostCase | null, prefill: LostPrefill | null, now: number): LostFormValues {
  if (lost) {
    const chip = lost.chip === null ? '' : lost.chip ? 'si' : 'no'
    const place = lost.point
      ? { zone: '', lat: String(lost.point.lat), lon: String(lost.point.lon) }
      : { zone: lost.zone, lat: '', lon: '' }
    return { since: formatMadridInput(lost.since), ...place, help: lost.help, chip }
  }
  const { since = now, zone = '', help = '' } = prefill ?? {}
  return { since: formatMadridInput(since), zone, lat: '', lon: '', help, chip: '' }
}
