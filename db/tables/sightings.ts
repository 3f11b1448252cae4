// Sightings of lost dogs.

import type { Generated } from 'kysely'

/** sightings: somebody saw a lost dog. For its owner alone; it goes with the case. */
export interface SightingsTable {
  id: string
  case_id: string
  /** Null for a visitor. */
  member_id: string | null
  /** The sender's network under the key of the day (`sighting_keys`): compared, never reversed. Null after three days. */
  network: string | null
  /** Hash of the secret that a visitor's device holds; null for a member. */
  secret_hash: Generated<string | null>
  /** Hash of the Idempotency-Key with its sender; null without one. */
  request_key: string | null
  /** When the dog was seen. */
  at: number
  /** The place, where the device said it; null where a zone was named. */
  lat: number | null
  lon: number | null
  /** The name of a place of the gazetteer: the one that was named, or the nearest one. */
  zone: string
  /** Empty where nothing was written. */
  words: string
  /** Why the words are folded (features/contact/text-warning.ts); null: they are not. */
  warning: string | null
  /** `refused`: the owner says that it is of no use. */
  state: 'delivered' | 'refused'
  created_at: number
  /** Why it waits for the admin (content.ts). */
  hidden: Generated<number>
}

/** sightings: the photo of a sighting, encoded again: for its owner, and the admin while it waits for them. */
export interface SightingPhotosTable {
  sighting_id: string
  /** JPEG in base64. */
  data: string
  width: number
  height: number
}

/** contact: whose sightings and found notices were refused lately, by whom. It outlives them by at most three days. */
export interface SightingRefusalsTable {
  /** A sighting's id, or a notice's with its owner's (`noticeRefusalId`). */
  sighting_id: string
  /** Null: the admin. */
  owner_id: string | null
  /** The owner's, under the same keys as the sender's. Null: the admin's. */
  owner_network: string | null
  network: string | null
  member_id: string | null
  refused_at: number
}

/** contact: the key of a day's networks; deleted after two more days. */
export interface SightingKeysTable {
  day: number
  key: string
}
