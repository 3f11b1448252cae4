import { STARTING_EMOJIS } from '../profiles.ts'

// «Aleatorio»: a noun and an adjective that agrees with it (docs/product.md §9.4). Every pair fits the 20 characters of an alias,
// with a number of two figures too.

/** Masculine and feminine nouns of up to seven letters. */
const NOUNS = {
  m: 'Galgo Sabueso Mastín Podenco Hueso Hocico Rabo Bigote Ladrido Lobo Zorro Oso Erizo Lince Búho Gorrión Delfín Tejón Grillo Mirlo Koala',
  f: 'Huella Pata Oreja Trufa Pelota Galleta Correa Siesta Manada Loba Nutria Ardilla Lechuza Abeja Tortuga Ballena Foca Nube Luna Castaña Bellota',
}

/** Adjectives of up to nine letters: one form, or the masculine and the feminine one. */
const ADJECTIVES =
  'Alegre Veloz Feliz Valiente Noble Amable Salvaje Gigante Tierno/Tierna Peludo/Peluda Curioso/Curiosa Sabio/Sabia Listo/Lista Tímido/Tímida Risueño/Risueña Dorado/Dorada Mimoso/Mimosa Tranquilo/Tranquila Atento/Atenta Goloso/Golosa Saltarín/Saltarina Dormilón/Dormilona'

/** Every noun with every adjective in its gender, «Nutria Curiosa». */
export const listAliasPairs = (): string[] =>
  (['m', 'f'] as const).flatMap((gender) =>
    NOUNS[gender].split(' ').flatMap((noun) =>
      ADJECTIVES.split(' ').map((forms) => {
        const [masculine, feminine = masculine] = forms.split('/')
        return `${noun} ${gender === 'm' ? masculine : feminine}`
      }),
    ),
  )

const pickRandom = <T>(list: readonly T[], random: () => number): T => list[Math.floor(random() * list.length)]!

/**
 * A random alias; `numbered` adds a number of two figures, for when pairs without a number are taken.
 * @param random a number from 0 up to 1, exclusive
 */
export function randomAlias(random: () => number = Math.random, numbered = false): string {
  const pair = pickRandom(listAliasPairs(), random)
  return numbered ? `${pair} ${10 + Math.floor(random() * 90)}` : pair
}

export const randomEmoji = (random: () => number = Math.random): string => pickRandom(STARTING_EMOJIS, random)

/** Tries without a number, and tries in all. */
const MAX_TRIES_WITHOUT_NUMBER = 3
const MAX_TRIES = 6

/** A random alias for which `isFree` is true; the last one tried when none is. */
export async function findFreeRandomAlias(
  isFree: (alias: string) => Promise<boolean>,
  random: () => number = Math.random,
): Promise<string> {
  let alias = ''
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    alias = randomAlias(random, attempt >= MAX_TRIES_WITHOUT_NUMBER)
    if (await isFree(alias)) break
  }
  return alias
}
