import { countCharacters } from '#lib/text/text.ts'

/** The kinds of results in the order of the page; also the values of `tipo` in its address. */
export const SEARCH_KINDS = ['razas', 'perros', 'perfiles', 'zonas'] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

export const KIND_LABELS: Record<SearchKind, string> = {
  razas: 'Razas',
  perros: 'Perros',
  perfiles: 'Perfiles',
  zonas: 'Zonas',
}

/** The longest search text, in grapheme clusters. */
export const QUERY_MAX_CHARS = 100
/** The shortest text with suggestions. */
export const SUGGEST_MIN_CHARS = 2

/** Hits per kind: on the page of all kinds, on the page of one kind, and as suggestions. */
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

/** One search result, ready to be rendered. */
export interface Hit {
  href: string
  title: string
  note: string
  /** A dog's photo or a breed's portrait: its address, and a `srcset` with twice the size. */
  image?: { src: string; srcSet?: string | undefined }
  /** Instead of an image, for a member. */
  emoji?: string
  isVerified?: boolean
}

/** The hits of a kind, and the cursor of the next page; null on the last. */
export interface KindHits {
  kind: SearchKind
  hits: Hit[]
  next: string | null
}

export interface SearchQuery {
  /** As typed, with whitespace collapsed. */
  text: string
  /** One kind alone; null for all. */
  kind: SearchKind | null
  cursor: string | undefined
  isLong: boolean
}

/** Parses the query of the search page; unknown values are ignored. */
export function parseSearchQuery(params: URLSearchParams): SearchQuery {
  const rawText = params.get('q') ?? ''
  // Counting characters is costly: a text of this length has more than a hundred in any language.
  const isHuge = rawText.length > QUERY_MAX_CHARS * 20
  const text = isHuge ? '' : rawText.toWellFormed().normalize('NFC').replace(/\s+/g, ' ').trim()
  const kind = SEARCH_KINDS.find((name) => name === params.get('tipo')) ?? null
  const cursor = params.get('cursor') || undefined
  return { text, kind, cursor, isLong: isHuge || countCharacters(text) > QUERY_MAX_CHARS }
}
