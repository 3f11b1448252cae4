/**
 * The ground behind each breed. The salt and the exceptions were computed over the breed list (scripts/portrait-grounds.ts), so
 * that neighbours in the alphabetical album differ and light dogs contrast with their ground.
 */

/** Appended to the slug before hashing. */
export const GROUND_SALT = '3638'

/** Breeds moved from the ground their hash gives, listed by the ground's place. */
export const GROUND_OVERRIDES: readonly string[] = [
  'pequeno-brabanzon podenco-valenciano ratonero-de-praga sabueso-de-schiller',
  'kishu kooikerhondje laika-de-siberia-oriental podenco-campanero rajapalayam vallhund-sueco',
  'husky-siberiano sabueso-suizo segugio-maremmano',
  'bichon-maltes borzoi cockapoo komondor pachon-navarro pastor-maremmano-abruces pomerania sabueso-de-istria-de-pelo-duro samoyedo terrier-tibetano',
  'bolonka bulldog-americano esquimal-americano pastor-de-asia-central spitz-de-norrbotten',
  '',
  'fila-de-san-miguel',
  'lakeland-terrier perro-de-montana-del-atlas',
  'akbash braco-de-ariege bull-terrier-miniatura chin-japones clumber-spaniel coton-de-tulear galgo-espanol kuvasz pastor-polaco-de-las-llanuras' +
    ' ' +
    'silken-windhound',
  'bull-terrier coonhound-negro-y-fuego dalmata lebrel-afgano pastor-de-rusia-meridional porcelaine shih-tzu terrier-sedoso-australiano',
]
