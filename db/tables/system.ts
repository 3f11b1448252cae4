// The system's own tables: jobs, geocoding results, live events, daily budgets, the admin's changes of breeds, riddles.
import type { Generated } from 'kysely'

/** A boolean: SQLite has none. */
export type Flag = 0 | 1

/** places: Mapbox's result for a text (`placeKey`), also that there is none. Old rows are deleted. */
export interface GeocodesTable {
  key: string
  lon: number | null
  lat: number | null
  place_name: string | null
  created_at: number
}

/** photos: what the whole site has used of a budget in the 24 hours since `since`. */
export interface DailyBudgetsTable {
  name: string
  used: number
  since: number
}

/** live: what has happened, in order; deleted after a while. */
export interface EventsTable {
  id: Generated<number>
  type: 'like' | 'dog' | 'comment' | 'notification'
  /** The only member who receives it; null for everybody. */
  user_id: string | null
  /** Whose comment or like it is; null where nobody may know. */
  actor_id: string | null
  /** The comment, like or notification. */
  thing_id: string | null
  dog_id: string | null
  /** JSON of what has happened (`EventData`); what it happened to is looked up when the event is sent. */
  data: string
  created_at: number
}

/**
 * breeds: the admin's edits of a breed, one row per save. The rows that are not undone apply to data/razas.json, oldest first.
 */
export interface BreedOverridesTable {
  id: string
  breed_slug: string
  /** JSON: field names of docs/product.md §26.1 and their new texts. */
  changes: string
  /** JSON: the same fields before the edit. */
  before: string
  user_id: string | null
  created_at: number
  undone_at: number | null
}

/** riddle: the breed of a day, drawn once. */
export interface RiddlesTable {
  /** The day in Madrid, `2026-11-26`. */
  day: string
  breed_slug: string
  /** Of this day alone: the addresses of its pictures and the signatures of visitors' guesses come from it. */
  secret: string
  created_at: number
}

/** riddle: what members guessed. */
export interface RiddleGuessesTable {
  user_id: string
  day: string
  /** 1 to MAX_GUESSES. */
  position: number
  breed_slug: string
  created_at: number
}

/** outbox: what is still to be done. Triggers of other tables add rows as well. */
export interface JobsTable {
  topic: string
  /** What it is about; a topic has one job of each key. */
  key: string
  /** The member who is notified or whom it is about. Deleted with the account. */
  user_id: Generated<string | null>
  /** JSON. */
  payload: Generated<string>
  /** Where a job of many steps is; empty at its beginning. */
  cursor: Generated<string>
  run_at: number
  queued_at: number
  /** Failures in a row, and what the last one was. */
  tries: Generated<number>
  error: Generated<string | null>
  /** Counts how often it was enqueued. */
  version: Generated<number>
}
