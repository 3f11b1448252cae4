/** Shown for a person without a known alias (docs/product.md §1.5). */
export const FALLBACK_ALIAS = 'Usuario'
export const FALLBACK_EMOJI = '🐶'

/**
 * A dog's name in a sentence; many have none (`???`, docs/product.md §1.5).
 * @param preposition precedes the name, and contracts with the article: «de Toby», «del perro sin nombre»
 */
export function dogInSentence(name: string, preposition?: 'a' | 'de'): string {
  const isNameless = name === '' || name === '???'
  if (isNameless && preposition) return `${preposition === 'a' ? 'al' : 'del'} perro sin nombre`
  return isNameless ? 'el perro sin nombre' : preposition ? `${preposition} ${name}` : name
}

/**
 * Stand for a member's alias and a dog's name in stored sentences, so that a rename rewrites none of them. Control characters:
 * `normaliseText` and `findAliasProblem` let nobody type them.
 */
export const ALIAS_PLACEHOLDER = '\u0001'
export const DOG_PLACEHOLDER = '\u0002'

/** A stored sentence with today's names. A member without a profile and a dog that is gone get the usual words. */
export const fillInNames = (text: string, names: { alias: string | null; dog: string | null }): string =>
  text
    .replaceAll(ALIAS_PLACEHOLDER, () => names.alias ?? FALLBACK_ALIAS)
    .replaceAll(DOG_PLACEHOLDER, () => dogInSentence(names.dog ?? '???'))
