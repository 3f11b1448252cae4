import { placeKey, SEARCH_MIN_CHARS } from '#features/places/places.ts'
import { countCharacters, truncateCharacters } from '#lib/text/text.ts'

/** A pause in typing that starts a search (docs/product.md §16.3). */
export const SEARCH_DEBOUNCE = 1000
/** A place that was found is named for so long, ms. */
export const FOUND_MESSAGE_MS = 5000
/** Searches of one session; what the device remembers costs none. */
export const SEARCH_CAP = 5
/** No place is asked for in more letters. */
const QUERY_MAX_CHARS = 100

export const SEARCH_TEXTS = {
  short: 'Escribe al menos 3 caracteres.',
  nothing: 'No encontramos ese lugar. Prueba con el nombre de un municipio o de un barrio.',
  spent: 'Ya has hecho las 5 búsquedas de esta sesión. Puedes mover el mapa o volver a un lugar que ya hayas buscado.',
  away: 'No hay conexión. Comprueba tu red y vuelve a intentarlo.',
  often: 'Demasiadas búsquedas seguidas. Espera un momento y vuelve a intentarlo.',
  failed: 'La búsqueda no funciona ahora mismo. Inténtalo de nuevo más tarde.',
} as const

/** What is asked for: one line without blanks at its ends. */
export const normaliseSearch = (typed: string): string =>
  truncateCharacters(typed.normalize('NFC').trim().replace(/\s+/g, ' '), QUERY_MAX_CHARS)

/** Whether two texts ask for the same place, however they are spelt. */
export const isSameSearch = (a: string, b: string): boolean => placeKey(a) === placeKey(b)

/** A place as it is said: «Cáceres, Cáceres», a town and its province, is «Cáceres». */
export function displayPlaceName(name: string): string {
  const [own, ...rest] = name.split(', ')
  return rest.length === 1 && isSameSearch(own!, rest[0]!) ? own! : name
}

export type SearchVerdict = 'ask' | 'short' | 'repeat' | 'spent'

/**
 * What becomes of a text (docs/product.md §16.3): too short, the same as the last, one too many, or a search.
 * @param last the text that was last looked for; null before the first and after one that failed
 * @param done searches of this session so far
 */
export function judgeSearch(text: string, last: string | null, done: number): SearchVerdict {
  if (countCharacters(text) < SEARCH_MIN_CHARS) return 'short'
  if (last !== null && isSameSearch(text, last)) return 'repeat'
  return done >= SEARCH_CAP ? 'spent' : 'ask'
}

/** How many searches a session has made, read from whatever stands there. */
export const parseSearchCount = (text: string | null): number => (text && /^\d{1,3}$/.test(text) ? Number(text) : 0)

/** What went wrong, as the person reads it. */
export const searchProblem = (status: number): string =>
  status === 429 ? SEARCH_TEXTS.often : status === 422 ? SEARCH_TEXTS.nothing : SEARCH_TEXTS.failed
