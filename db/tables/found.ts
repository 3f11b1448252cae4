// Dogs that somebody has found. A notice is a record of its own, never a dog in albums or counts.

import type { Generated } from 'kysely'
import type { Size } from './dogs.ts'

/**
 * found: notices of found dogs, each for its finder and for the owners of lost dogs that were notified of it. The row goes when the finder
 * closes it or it expires, with everything that refers to it.
 */
export interface FoundNoticesTable {
  id: string
  /** The finder; null for one without account, whose device holds the secret. */
  member_id: string | null
  secret_hash: string | null
  /** The hash of the sender and their Idempotency-Key. */
  request_key: string | null
  found_at: number
  /** The zone's text, as the gazetteer writes it. */
  zone: string
  /** INE number; empty abroad. */
  province: string
  /** The middle of the zone, or a moved point far from any town: distances to lost dogs are measured from it. Nobody sees it. */
  shown_lat: number
  shown_lon: number
  size: Size | null
  /** What breed the detection takes it for from the photo; null: none. */
  breed_slug: string | null
  coat: string
  collar: string
  words: string
  /** Asked of who says that the dog is theirs; empty: none. */
  question: string
  created_at: number
  expires_at: number
  /** The finder's network under the key of the day (`sighting_keys`): compared, never reversed. Null after three days. */
  network: Generated<string | null>
  /** `closed` is for the admin alone until they decide: its finder ended one that was reported. */
  state: Generated<'open' | 'closed'>
  /** Why it is for its finder and the admin alone (content.ts). */
  hidden: Generated<number>
}

/** found: the photo of a notice, a JPEG in base64. */
export interface FoundPhotosTable {
  notice_id: string
  data: string
  width: number
  height: number
}

/** found: lost dogs that look like a found one. */
export interface FoundMatchesTable {
  notice_id: string
  case_id: string
  score: number
  /** «A menos de … km». */
  band_km: number
  /** When the owner was notified; null: they were not, and do not see the notice. */
  told_at: number | null
}

/** found: answers of members who say that a found dog is theirs. */
export interface FoundClaimsTable {
  id: string
  notice_id: string
  user_id: string
  /** Read by the finder and its author alone. */
  answer: string
  state: 'open' | 'accepted' | 'refused'
  created_at: number
  decided_at: number | null
}

/** found: lost cases that were compared with the open notices, as they were then. */
export interface FoundScansTable {
  case_id: string
  case_updated_at: number
}

/** found: reports of a notice by owners who were notified of it, and of an answer by the finder. The row goes when the admin has decided. */
export interface FoundReportsTable {
  id: string
  notice_id: string
  /** The answer; null: the notice itself. */
  claim_id: string | null
  /** Null: the finder's device, without account. */
  reporter_id: string | null
  /** An owner's network under the key of the day (`sighting_keys`), of a notice's report alone. Null after three days. */
  network: string | null
  reason: 'false' | 'money' | 'other'
  created_at: number
}
