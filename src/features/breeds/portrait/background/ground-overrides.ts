/**
 * The ground behind each breed. The salt and the exceptions were computed over the breed list (scripts/portrait-grounds.ts), so
 * that neighbours in the alphabetical album differ and light dogs contrast with their ground.
 */

/** Appended to the slug before hashing. */
export const GROUND_SALT = '913'

/** Breeds moved from the ground their hash gives, listed by the ground's place. */
export const GROUND_OVERRIDES: readonly string[] = [
  'labrador-retriever pastor-rumano-de-mioritza shikoku',
  'mastin-napolitano sabueso-de-ariege toy-fox-terrier',
  'perro-de-granja-danes-y-sueco pumi terrier-ruso-negro',
  'bull-terrier cockapoo dalmata sabueso-de-smaland sealyham-terrier spitz-japones',
  'buhund-noruego coton-de-tulear glen-of-imaal-terrier kishu laika-ruso-europeo lundehund-noruego pastor-americano-miniatura pastor-maremmano-abruces' +
    ' ' +
    'porcelaine rottweiler',
  'bichon-bolones boston-terrier braco-aleman-de-pelo-corto pastor-blanco-suizo sabueso-del-tirol spaniel-frances',
  'akita-inu cairn-terrier husky-siberiano pachon-navarro perro-de-canaan',
  'gran-danes',
  'boyero-de-las-ardenas bulldog-americano chow-chow hokkaido laika-de-yakutia manchester-terrier ratonero-murciano',
  'border-collie bull-terrier-miniatura lapphund-finlandes podenco-portugues samoyedo wachtelhund-aleman',
]
