import { placeKey, SEARCH_MIN_CHARS } from '#features/places/places.ts'
import { countCharacters, truncateCharacters } from '#lib/text/text.ts'

/** The pause in typing that starts a search (docs/product.md §16.3). */
export const SEARCH_DEBOUNCE_MS = 1000
/** How long the name of a found place shows. */
export const FOUND_MESSAGE_MS = 5000
/** Searches of one session, without those answered from the device's cache. */
export const MAX_SEARCHES_PER_SESSION = 5
/** Longer queries are truncated. */
const QUERY_MAX_CHARS = 100

export const SEARCH_TEXTS = {
  short: 'Escribe al menos 3 caracteres.',
  nothing: 'No encontramos ese lugar. Prueba con el nombre de un municipio o de un barrio.',
  spent: 'Ya has hecho las 5 búsquedas de esta sesión. Puedes mover el mapa o volver a un lugar que ya hayas buscado.',
  offline: 'No hay conexión. Comprueba tu red y vuelve a intentarlo.',
  often: 'Demasiadas búsquedas seguidas. Espera un momento y vuelve a intentarlo.',
  failed: 'La búsqueda no funciona ahora mismo. Inténtalo de nuevo más tarde.',
} as const

/** Normalises typed text to a query: one line without surrounding spaces. */
export const normaliseSearch = (typed: string): string =>
  truncateCharacters(typed.normalize('NFC').trim().replace(/\s+/g, ' '), QUERY_MAX_CHARS)

/** Whether two texts mean the same place, whatever their case and accents. */
export const isSameSearch = (a: string, b: string): boolean => placeKey(a) === placeKey(b)

/** A place's name as it is shown: «Cáceres, Cáceres», a town and its province, is «Cáceres». */
export function displayPlaceName(name: string): string {
  const [town, ...rest] = name.split(', ')
  return rest.length === 1 && isSameSearch(town!, rest[0]!) ? town! : name
}

export type SearchVerdict = 'search' | 'short' | 'repeat' | 'spent'

/**
 * Decides about a query (docs/product.md §16.3): too short, a repetition of the last one, beyond the session's limit, or a search.
 * @param last the last query; null before the first one and after a failure
 * @param count searches of this session so far
 */
export function judgeSearch(text: string, last: string | null, count: number): SearchVerdict {
  if (countCharacters(text) < SEARCH_MIN_CHARS) return 'short'
  if (last !== null && isSameSearch(text, last)) return 'repeat'
  return count >= MAX_SEARCHES_PER_SESSION ? 'spent' : 'search'
}

/** Parses the session's stored count; 0 for any other text. */
export const parseSearchCount = (text: string | null): number => (text && /^\d{1,3}$/.test(text) ? Number(text) : 0)

/** The sentence for a failed response. */
export const searchProblem = (status: number): string =>
  status === 429 ? SEARCH_TEXTS.often : status === 422 ? SEARCH_TEXTS.nothing : SEARCH_TEXTS.failed
