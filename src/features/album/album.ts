import { formatCount } from '#lib/numbers.ts'

/** Whose dogs fill the album: everyone's, or one member's (docs/product.md §6.1). */
export type AlbumMode = 'community' | 'user'
/** `newest`, of a member's album: the breed of the newest sticker first. */
export type AlbumOrder = 'az' | 'status' | 'newest'
/** Whose album a page shows: everyone's, the reader's own, another member's. */
export type AlbumOwnership = 'community' | 'own' | 'other'
export type AlbumLayout = 'album' | 'list'
/** Which of a member's dogs fill the album: those they own, those they discovered, or both. */
export type AlbumRole = 'all' | 'owned' | 'discovered'

export interface AlbumQuery {
  mode: AlbumMode
  /** Of a member's album only. */
  role: AlbumRole
  search: string
  order: AlbumOrder
  view: AlbumLayout
  /** The spread, from 1. */
  page: number
}

/** Slots on an open spread: two pages of twelve. */
export const SLOTS_PER_SPREAD = 24
/** Photos of a slot's carousel, and thumbnails of a row of the list (docs/product.md §6.3). */
export const PHOTOS_PER_SLOT = 3
export const PHOTOS_PER_ROW = 4
/** A longer search is cut. */
const SEARCH_MAX_CHARS = 80

/** The roles as the filter and addresses name them (docs/product.md §6.8). */
export const ALBUM_ROLES: Record<AlbumRole, { label: string; param: string | null }> = {
  all: { label: 'Todos', param: null },
  owned: { label: 'Míos', param: 'mios' },
  discovered: { label: 'Descubiertos', param: 'descubiertos' },
}
/** What the filter says of a role. @param isOwn whether the album is the viewer's */
export const roleLabel = (role: AlbumRole, isOwn: boolean): string =>
  role === 'owned' && !isOwn ? 'Suyos' : ALBUM_ROLES[role].label

/** The orders as the album and addresses name them. */
export const ALBUM_ORDERS: Record<AlbumOrder, { label: string; param: string }> = {
  newest: { label: 'Recientes', param: 'recientes' },
  az: { label: 'A-Z', param: 'az' },
  status: { label: 'Estado', param: 'estado' },
}

const ROLES = Object.keys(ALBUM_ROLES) as AlbumRole[]

/** Parses the query of the page's address; invalid values fall back to the defaults. */
export function readAlbumQuery(params: URLSearchParams): AlbumQuery {
  const page = params.get('pagina') ?? ''
  const role = params.get('album')
  return {
    mode: params.get('modo') === 'mias' ? 'user' : 'community',
    role: ROLES.find((name) => ALBUM_ROLES[name].param === role) ?? 'all',
    search: (params.get('buscar') ?? '').trim().slice(0, SEARCH_MAX_CHARS),
    order: params.get('orden') === 'estado' ? 'status' : 'az',
    view: params.get('vista') === 'lista' ? 'list' : 'album',
    page: /^\d{1,4}$/.test(page) ? Math.max(1, Number(page)) : 1,
  }
}

/**
 * Parses the query of a member's album: the newest sticker first in one's own, breeds with dogs first in another's, unless the address says
 * otherwise; its last `orden` wins.
 */
export function readMemberAlbumQuery(params: URLSearchParams, isOwn: boolean): AlbumQuery {
  const asked = params.getAll('orden').at(-1)
  const order = (Object.keys(ALBUM_ORDERS) as AlbumOrder[]).find((name) => ALBUM_ORDERS[name].param === asked)
  return { ...readAlbumQuery(params), mode: 'user', order: order ?? (isOwn ? 'newest' : 'status') }
}
/** The address of a member's album as `base` of its links, which omit the order A-Z as their default. */
export const memberAlbumBase = (href: string): string => `${href}&orden=az`

/** The parameters of a query that are not the default, as form fields or for an address. */
export function albumParams(query: AlbumQuery): [name: string, value: string][] {
  const params: [string, string][] = []
  if (query.mode === 'user') params.push(['modo', 'mias'])
  const { param } = ALBUM_ROLES[query.role]
  if (param !== null) params.push(['album', param])
  if (query.search) params.push(['buscar', query.search])
  if (query.order !== 'az') params.push(['orden', ALBUM_ORDERS[query.order].param])
  if (query.view === 'list') params.push(['vista', 'lista'])
  if (query.page > 1) params.push(['pagina', String(query.page)])
  return params
}

/** The address of an album on the page `base` (`/razas`, `/?tab=mine`). */
export function albumHref(base: string, query: AlbumQuery): string {
  const text = new URLSearchParams(albumParams(query)).toString()
  return text ? `${base}${base.includes('?') ? '&' : '?'}${text}` : base
}

/** The community's progress in words (docs/product.md §6.4). */
export function progressText(discovered: number, total: number): string {
  if (discovered === 0) return 'Ayuda a la comunidad descubriendo nuevas razas'
  if (discovered >= total) return 'La comunidad ha completado la colección'
  return discovered / total < 0.5 ? 'La comunidad crece' : 'Increíble! Casi lo tenemos'
}

/** A member's own progress in words. */
export function ownProgressText(discovered: number, total: number): string {
  if (discovered === 0) return 'Tu álbum espera su primera pegatina'
  if (discovered >= total) return 'Has completado la colección'
  return discovered === 1 ? 'Ya tienes 1 raza en tu álbum' : `Ya tienes ${formatCount(discovered)} razas en tu álbum`
}

/** «1 raza encontrada», «356 razas encontradas». */
export const foundText = (count: number): string =>
  count === 1 ? '1 raza encontrada' : `${formatCount(count)} razas encontradas`

/** What an album shows: of a member's whole one «Has descubierto 21 de 441», «21 de 441 descubiertas», else what was found. */
export function shownText({ query, found, discovered, total }: AlbumView, isOwn: boolean): string {
  if (query.mode === 'community' || found < total) return foundText(found)
  const share = `${formatCount(discovered)} de ${formatCount(total)}`
  return isOwn ? `Has descubierto ${share}` : `${share} descubiertas`
}

/** Said of a filtered album without a breed (docs/product.md §6.8). */
export const emptyText = (role: AlbumRole): string =>
  role === 'owned'
    ? 'Aquí no hay ningún perro propio.'
    : role === 'discovered'
      ? 'Aquí no hay ningún perro descubierto.'
      : 'No se encontró ninguna raza'

/** «1 perro», «12 perros». */
export const dogsText = (count: number): string => (count === 1 ? '1 perro' : `${formatCount(count)} perros`)

/** A breed's number as printed in the album: 001, 002… */
export const printedNumber = (number: number): string => String(number).padStart(3, '0')

export interface Slot {
  slug: string
  name: string
  number: number
  /** Dogs that count in this album. */
  count: number
  /** Covers of the newest of these dogs. */
  photos: string[]
  /** The reference picture, and the silhouette shown while the breed is undiscovered. */
  image: string
  silhouette: string
  /** «Hocico chato», or ''. */
  mark: string
}

export interface AlbumTab {
  label: string
  page: number
}

export interface AlbumView {
  query: AlbumQuery
  /** Breeds of the catalogue, and those of them that this album has, whatever is filtered. */
  total: number
  discovered: number
  /** Dogs that count in this album, whatever is filtered. */
  dogs: number
  found: number
  slots: Slot[]
  page: number
  pages: number
  /** Letter tabs; none under a search or another order. */
  tabs: AlbumTab[]
  /** Breeds by the member's role in their dogs; null for an album that is not filtered by it. */
  roles: Record<AlbumRole, number> | null
}

/** Letter tabs that fit beside the book. */
const MAX_LETTER_TABS = 8

/**
 * Groups letters into at most eight tabs of similar size, each leading to the spread of its first breed.
 * @param initials the breeds' first letters in order
 */
export function letterTabs(initials: readonly string[], perPage = SLOTS_PER_SPREAD): AlbumTab[] {
  const letters = [...new Set(initials)]
  const target = initials.length / MAX_LETTER_TABS
  const tabs: { from: string; to: string; start: number; size: number }[] = []
  let start = 0
  for (const letter of letters) {
    const size = initials.filter((initial) => initial === letter).length
    const last = tabs.at(-1)
    // A letter joins the previous tab where that brings the tab's size closer to the target.
    if (last && last.size + size / 2 < target) {
      last.to = letter
      last.size += size
    } else tabs.push({ from: letter, to: letter, start, size })
    start += size
  }
  return tabs.map(({ from, to, start }) => ({
    label: from === to ? from : `${from}–${to}`,
    page: Math.floor(start / perPage) + 1,
  }))
}
