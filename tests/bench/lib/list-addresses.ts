/** Every list of the product as an address: all sorts and filters, at its start and halfway down, where the file has so many rows. */
import { type Trx as Db, sqliteOf } from '#db/client.ts'
import { SIZES, SORTS } from '#features/dogs/dogs.ts'
import { dogPageQuery } from '#features/dogs/list/list.server.ts'
import { writeSearchCursor } from '#features/search/search-cursor.ts'
import { encodeCursor } from '#lib/cursor.ts'
import type { Json } from '#tests/support/api.ts'

/** Addresses by what they are a list of. */
export type AddressLists = Record<string, string[]>

const BREED = 'mestizo'
const SIZE = SIZES[2]
/** Stages of a search without `ñ` (features/search/name-search.server.ts): the very name, and what begins so. */
const EXACT_NAME_STAGE = 0
const NAME_PREFIX_STAGE = 3
const SORT_COLUMNS = { recent: 'created_at', votes: 'votes', weight: 'weight', age: 'age_months' } as const

export async function listAddresses(db: Db): Promise<AddressLists> {
  const sqlite = sqliteOf(db)
  const row = (sql: string, ...values: unknown[]) => sqlite.prepare<unknown[], Json>(sql).get(...values)
  const query = (path: string, values: Record<string, string>) => `${path}?${new URLSearchParams(values)}`
  const lists: AddressLists = {}
  const add = (name: string, address: string) => (lists[name] ??= []).push(address)

  const filters: Record<string, string>[] = [{}, { breed: BREED }, { size: SIZE }, { breed: BREED, size: SIZE }]
  for (const filter of filters) {
    const kind = Object.keys(filter).join(' and ') || 'no filter'
    for (const sort of SORTS) {
      const rows = { ...('breed' in filter && { breed_slug: BREED }), ...('size' in filter && { size: SIZE }) }
      const column = SORT_COLUMNS[sort.split('-')[0] as keyof typeof SORT_COLUMNS]
      add(`API, ${kind}, first pages`, query('/api/dogs', { ...filter, sort }))
      const where = Object.entries(rows).map(([name, value]) => `${name} = '${value}'`)
      const { n } = row(`SELECT count(*) AS n FROM dogs WHERE ${[`${column} IS NOT NULL`, ...where].join(' AND ')}`)
      const compiled = dogPageQuery(db, rows, sort, 1)
        .clearSelect()
        .select(['id', column])
        .offset(Math.floor(n / 2))
        .compile()
      const middle = row(compiled.sql, ...compiled.parameters)
      // Weights sort as whole kilograms.
      const value = column === 'weight' ? Math.trunc(middle[column]) : Number(middle[column])
      const cursor = encodeCursor({ order: sort, value, id: middle.id })
      add(`API, ${kind}, halfway down`, query('/api/dogs', { ...filter, sort, cursor }))
    }
  }
  add('page, all dogs', '/perros')
  add('page, dogs of a breed', `/perros?breed=${BREED}`)
  const half = (order: string, from: string, value: string, id = 'id') => {
    const { n } = row(`SELECT count(*) AS n FROM ${from}`)
    const order_ = `ORDER BY ${value} DESC, ${id} DESC LIMIT 1 OFFSET ${Math.floor(n / 2)}`
    const at = row(`SELECT ${value} AS value, ${id} AS id FROM ${from} ${order_}`)
    return encodeCursor({ order, value: at.value, id: at.id })
  }
  const recent = half('recent', `dogs WHERE breed_slug = '${BREED}'`, 'created_at')
  add('page, a breed', `/razas/${BREED}`)
  add('page, a breed, halfway down', query(`/razas/${BREED}`, { desde: recent }))
  add('page, album', '/razas')
  add('page, album by status', '/razas?orden=estado')
  add('page, community', '/comunidad')
  const { n } = row('SELECT count(*) AS n FROM profiles')
  const place = row(
    `SELECT dogs_count, likes_count, id FROM profiles ORDER BY dogs_count DESC, likes_count DESC, id DESC LIMIT 1 OFFSET ${n >> 1}`,
  )
  const rank = encodeCursor({ order: 'ranking', value: place.dogs_count, id: `${place.likes_count} ${place.id}` })
  add('page, community, halfway down', query('/comunidad', { cursor: rank }))

  // A common name, beginnings of very many names, and what typed letters must be told from read ones for.
  for (const text of ['luna', 'l', 'ma', 'ñ']) add('page, search', query('/buscar', { q: text }))
  for (const text of ['luna', 'l', 'ma']) {
    const rows = `dog_words WHERE place = 0 AND plain >= '${text}' AND plain < '${text}\u{10FFFF}'`
    const { n } = row(`SELECT count(*) AS n FROM ${rows}`)
    const at = row(`SELECT plain, low, id FROM ${rows} ORDER BY plain, low, id LIMIT 1 OFFSET ${n >> 1}`)
    const cursor = writeSearchCursor('perros', text, at.plain === text ? EXACT_NAME_STAGE : NAME_PREFIX_STAGE, [
      at.plain,
      at.low,
      at.id,
    ])
    add('page, search for dogs, halfway down', query('/buscar', { q: text, tipo: 'perros', cursor }))
  }

  const keen = row('SELECT id FROM profiles ORDER BY dogs_count DESC LIMIT 1').id as string
  const own = half('member', `member_dogs WHERE user_id = '${keen}'`, 'created_at', 'dog_id')
  const liked = half('liked', `dog_likes WHERE user_id = '${keen}'`, 'created_at')
  const member = `/usuario/${keen}`
  add("page, a member's dogs", member)
  add("page, a member's dogs, halfway down", query(member, { cursor: own }))
  add('page, what a member likes', `${member}?tab=likes`)
  add('page, what a member likes, halfway down', query(member, { tab: 'likes', cursor: liked }))
  add("page, a member's album", `${member}?tab=razas`)

  const dog = row('SELECT id, path_breed, path_slug FROM dogs ORDER BY comments_count DESC LIMIT 1')
  const of = (table: string) => `${table} WHERE dog_id = '${dog.id}'`
  add('page, a dog', `/${dog.path_breed}/${dog.path_slug}`)
  const api = `/api/dogs/${dog.id}`
  add('API, likers', `${api}/likes`)
  add('API, likers, halfway down', query(`${api}/likes`, { cursor: half('likers', of('dog_likes'), 'created_at') }))
  add('API, comments', `${api}/comments`)
  const said = half('comments', of('comments'), 'created_at')
  add('API, comments, halfway down', query(`${api}/comments`, { cursor: said }))
  for (const [zoom, bbox] of MAP_VIEWS) add('API, map', query('/api/map', { zoom: String(zoom), bbox }))
  for (const [, bbox] of MAP_VIEWS) add('API, dogs of the map', query('/api/map/dogs', { bbox }))
  return lists
}

/** Spain, Madrid and its surroundings, the city, a quarter of it. */
const MAP_VIEWS: [number, string][] = [
  [5, '-19,26,12,50'],
  [9, '-4.9,39.8,-2.5,41'],
  [12, '-3.93,40.34,-3.48,40.5'],
  [15, '-3.732,40.407,-3.675,40.427'],
]
