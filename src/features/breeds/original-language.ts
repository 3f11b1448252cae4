import languages from '#data/original-languages.json' with { type: 'json' }
import type { Breed } from './breeds.ts'

/** BCP 47 tags by country, for original names in the country's language. Names from other scripts are transliterated. */
const LANGUAGE_BY_COUNTRY: Readonly<Record<string, string>> = languages.byCountry

/** Names in another language than their country's; null where the language is Spanish or unclear. */
const LANGUAGE_BY_NAME: Readonly<Record<string, string | null>> = languages.byName

/**
 * The language of a breed's original name as a BCP 47 tag, for screen readers (WCAG 3.1.2); undefined where it is Spanish or
 * unknown.
 * @param isChanged whether an admin replaced the catalogue's name: its language is then unknown
 */
export function originalLanguage(
  breed: Pick<Breed, 'nombre_original' | 'pais_origen'>,
  isChanged = false,
): string | undefined {
  if (isChanged) return undefined
  const byName = LANGUAGE_BY_NAME[breed.nombre_original]
  return (byName === undefined ? LANGUAGE_BY_COUNTRY[breed.pais_origen] : byName) ?? undefined
}
