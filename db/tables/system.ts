// The system's own tables: geocoding results, live events, daily budgets, the admin's changes of breeds.
import type { Generated, GeneratedAlways } from 'kysely'

/** A boolean: SQLite has none. */
export type Flag = 0 | 1

/** places: what Mapbox said about a text (as `placeKey` makes it); without a place, that it knew none. Old rows go. */
export interface GeocodesTable {
  key: string
  lon: number | null
  lat: number | null
  place_name: string | null
  created_at: number
}

/** photos: what the whole site has used of something in the 24 hours that began at `since`. */
export interface DailyBudgetsTable {
  name: string
  used: number
  since: number
}

/** live: what happened, in order; swept after a while. A null `user_id` is for everyone, else for that member alone. */
export interface EventsTable {
  id: Generated<number>
  type: 'like' | 'dog' | 'comment' | 'notification'
  user_id: string | null
  /** JSON. */
  data: string
  created_at: number
  /** Read from `data`: the dog, comment, like or line of a bell that is told of. */
  thing_id: GeneratedAlways<string | null>
  /** Read from `data`: the dog that it is about. */
  dog_id: GeneratedAlways<string | null>
  /** Read from `data`: who wrote the comment in it. */
  author_id: GeneratedAlways<string | null>
}

/**
 * breeds: what the admin changed of a breed, one row a save; the rows that are not undone, oldest first, lie over
 * data/razas.json.
 */
export interface BreedOverridesTable {
  id: string
  breed_slug: string
  /** JSON: field names of docs/product.md §26.1 and their new texts. */
  changes: string
  /** JSON: the same fields as they stood before. */
  before: string
  user_id: string | null
  created_at: number
  undone_at: number | null
}
