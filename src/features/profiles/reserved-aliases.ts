import { aliasKey } from './profiles.ts'

// Names of the site, of those who run it and of no one. They are compared as keys: without case, accents, spaces and signs, and
// with one letter for all that look alike.

/** A pattern's source for any of the words. */
const anyOf = (words: string) => `(?:${words.split(' ').map(aliasKey).join('|')})`

const SITE = aliasKey('Perrario')
const ROLES = 'admin administrador administradora administracion moderador moderadora moderacion soporte'
/** «Admin», «La moderadora», «Equipo de soporte», «Soporte técnico», «Moderadores oficiales», «Admin 2». */
const OFFICIAL = new RegExp(
  `^${anyOf('el la los las un una')}?(?:${anyOf('equipo')}(?:de)?(?:la)?)?${anyOf(ROLES)}(?:e?s)?${anyOf('oficial oficiales tecnico')}?[2-9lo]*$`,
)
const NO_ONE = new RegExp(`^${anyOf('usuario alguien')}$`)

/** Digits that are read as letters, besides those that look like one (`aliasKey`). */
const DIGIT_LETTERS: Readonly<Record<string, string>> = { 3: 'e', 4: 'a', 5: 's', 7: 't' }

/** Whether an alias reads as a name of the site, with whatever words around it, of those who run it, or of no one. */
export function isReservedAlias(alias: string): boolean {
  const key = aliasKey(alias)
  const letters = key.replace(/[3457]/g, (digit) => DIGIT_LETTERS[digit]!)
  return [key, letters].some((text) => text.includes(SITE) || OFFICIAL.test(text) || NO_ONE.test(text))
}
