import { countCharacters } from '#lib/text/text.ts'

/** What is found, in the order of the page; the words of `tipo` in its address. */
export const SEARCH_KINDS = ['razas', 'perros', 'perfiles', 'zonas'] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

export const KIND_LABELS: Record<SearchKind, string> = {
  razas: 'Razas',
  perros: 'Perros',
  perfiles: 'Perfiles',
  zonas: 'Zonas',
}

/** The longest text that is looked for, in characters as a person counts them. */
export const QUERY_MAX_CHARS = 100
/** The fewest that bring suggestions. */
export const SUGGEST_MIN_CHARS = 2

/** How many of each kind: among all, on a page of one kind, as suggestions. */
export const HITS_PER_KIND: Record<SearchKind, number> = { razas: 4, perros: 6, perfiles: 4, zonas: 4 }
export const SEARCH_PAGE_SIZE = 24
export const SUGGESTIONS_PER_KIND: Record<SearchKind, number> = { razas: 3, perros: 4, perfiles: 3, zonas: 2 }

export const SEARCH_TEXTS = {
  label: 'Buscar en Perrario',
  placeholder: 'Raza, perro, perfil o zona',
  empty: 'Escribe una raza, el nombre de un perro, un perfil o una zona. Las tildes no importan.',
  long: `La búsqueda no puede tener más de ${QUERY_MAX_CHARS} caracteres.`,
  often: 'Demasiadas búsquedas seguidas. Espera un momento e inténtalo de nuevo.',
  none: (text: string) => `No hemos encontrado nada para «${text}»`,
  noneOf: (kind: SearchKind, text: string) => `Ningún resultado en ${KIND_LABELS[kind]} para «${text}»`,
  again: 'Prueba con menos letras o con otra forma de escribirlo.',
} as const

/** One thing that was found, ready to be shown. */
export interface Hit {
  href: string
  title: string
  note: string
  /** A dog's photo or a breed's portrait, as its address and that of twice the size. */
  image?: { src: string; srcSet?: string | undefined }
  /** A member's. */
  emoji?: string
  isVerified?: boolean
}

/** What was found of a kind, and where the next page begins; null where there is none. */
export interface KindHits {
  kind: SearchKind
  hits: Hit[]
  next: string | null
}

export interface SearchQuery {
  /** On one line, as typed. */
  text: string
  /** One kind alone; null for all. */
  kind: SearchKind | null
  cursor: string | undefined
  isLong: boolean
}

/** Reads the page's address; what it does not know is left out. */
export function parseSearchQuery(params: URLSearchParams): SearchQuery {
  const typed = params.get('q') ?? ''
  // So many bytes hold more than a hundred characters of any language; counting them costs.
  const isHuge = typed.length > QUERY_MAX_CHARS * 20
  const text = isHuge ? '' : typed.toWellFormed().normalize('NFC').replace(/\s+/g, ' ').trim()
  const kind = SEARCH_KINDS.find((name) => name === params.get('tipo')) ?? null
  const cursor = params.get('cursor') || undefined
  return { text, kind, cursor, isLong: isHuge || countCharacters(text) > QUERY_MAX_CHARS }
}
