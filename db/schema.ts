/**
 * Every table as the code sees it. Times are integer milliseconds (lucia's `sessions.expires_at`: seconds), booleans 0/1,
 * ids UUIDs. The migrations under `migrations/` make the tables; this file must say the same. Anyone may read any table
 * through these types; one feature writes each (named above the table, checked by tests/guards).
 */
import type { Generated } from 'kysely'

export type Flag = 0 | 1

/** auth */
export interface UsersTable {
  id: string
  /** Lower case; null where a provider gave none. */
  email: string | null
  created_at: number
}

/** auth, through lucia. `id` is the sha256 of the token in the cookie; `expires_at` is in seconds (lucia's own unit). */
export interface SessionsTable {
  id: string
  user_id: string
  expires_at: number
  created_at: Generated<number>
  /** «Firefox en Windows», from the User-Agent of whoever signed in; null where it said nothing. */
  device: string | null
  /** What its member ends it by: random, and no way to the token or its hash. */
  public_id: string
}

/** auth: one row per mail sent. Link token and code are stored hashed; either signs in, once. */
export interface SignInTokensTable {
  id: string
  email: string
  token_hash: string
  code_hash: string
  tries: Generated<number>
  expires_at: number
  used_at: number | null
  created_at: number
}

/** auth */
export interface OauthAccountsTable {
  provider: string
  provider_user_id: string
  user_id: string
  created_at: number
}

/** profiles; the three counts are kept by triggers. */
export interface ProfilesTable {
  id: string
  alias: string
  /** The alias folded, for uniqueness as people read it: «Ana» and «ána» are one. */
  alias_key: string
  emoji: string
  verified: Generated<Flag>
  created_at: number
  /** Dogs whose owner or discoverer this member is, each once. */
  dogs_count: Generated<number>
  /** Distinct breeds among those dogs. */
  breeds_count: Generated<number>
  /** Likes this member gave. */
  likes_count: Generated<number>
}

export type Size = 'mini' | 'pequeño' | 'mediano' | 'grande' | 'gigante'

/** dogs; `votes` and `comments_count` are kept by triggers. */
export interface DogsTable {
  id: string
  /** As typed, sanitised; `???` when empty. */
  name: string
  /** As shown: a catalogue name, or the mix a person described. */
  breed: string
  /** The catalogue breed it counts, filters and links as. */
  breed_slug: string
  age: number | null
  age_unit: 'meses' | 'años' | null
  /** The age in months, which lists sort by. */
  age_months: number | null
  weight: number | null
  zone: string | null
  is_adopted: Generated<Flag>
  description: string | null
  size: Size | null
  photo_url: string
  user_id: string | null
  owner_id: string | null
  discoverer_id: string | null
  created_at: number
  updated_at: number
  /** The Europe/Madrid day of `created_at`, 20261120: «nuevos hoy» reads it. */
  day: number
  /** Likes received. */
  votes: Generated<number>
  comments_count: Generated<number>
  /** The two parts of its page's address, stored so that shared links never move. */
  path_breed: string
  path_slug: string
}

/** dogs: every address a dog ever had. `dog_id` is null once the dog is deleted (the address then answers 410). */
export interface DogPathsTable {
  breed_slug: string
  /** With its number: `toby`, `toby-2`. */
  slug: string
  dog_id: string | null
  created_at: number
}

/** dogs. `order` is 0-based; 0 is the cover. */
export interface DogImagesTable {
  dog_id: string
  url: string
  order: number
  width: number
  height: number
  /** Four by four colours (photos/blur.ts); null until they are known, empty where the photo cannot be read. */
  blur: string | null
}

/** dogs: the claim on an anonymous dog, held by the device that added it. */
export interface DogClaimsTable {
  dog_id: string
  token_hash: string
  created_at: number
}

/** dogs: members who say that a dog without owner is theirs. Confirmed ones go; a declined one stays, so that it rests. */
export interface OwnershipRequestsTable {
  dog_id: string
  user_id: string
  created_at: number
  declined_at: number | null
}

/** dogs: answers to POST /api/dogs that carried an Idempotency-Key. */
export interface IdempotencyKeysTable {
  /** sha256 of the sender and the key. */
  key: string
  dog_id: string
  created_at: number
}

/** likes */
export interface DogLikesTable {
  id: string
  dog_id: string
  user_id: string
  created_at: number
}

/** comments */
export interface CommentsTable {
  id: string
  dog_id: string
  user_id: string
  content: string
  created_at: number
}

/** notifications */
export interface NotificationsTable {
  id: string
  user_id: string
  type: 'comment' | 'like' | 'other'
  title: string
  content: string
  dog_id: string | null
  is_read: Generated<Flag>
  created_at: number
  /** Whose deed it tells, the last of them where likes are grouped; null for the house's own. */
  actor_id: string | null
  /** Where it leads, if not to its dog's page: a path of ours. */
  link: Generated<string | null>
}

/** notifications: a browser that shows notices (push/). It goes with the session it was turned on in. */
export interface PushSubscriptionsTable {
  id: string
  user_id: string
  session_id: string
  /** Where its push service takes messages for it: whoever knows it can be told, so it is shown to nobody. */
  endpoint: string
  /** The browser's public key and secret, base64url: what messages are encrypted for. */
  p256dh: string
  auth: string
  /** How often in a row its service refused us; after a few it goes. */
  refusals: Generated<number>
  /** Nothing is sent before: its service asked us to wait, or it was told something just now. */
  rest_until: Generated<number>
  created_at: number
}

/** notifications: what a member wants to be told outside the site; no row means the usual. */
export interface NoticeSettingsTable {
  user_id: string
  likes: Flag
  comments: Flag
  others: Flag
  /** Minutes of the day in `time_zone` between which nothing rings; both null: it always may. */
  quiet_from: number | null
  quiet_to: number | null
  /** IANA name. */
  time_zone: string
}

/** notifications: lines of the bell on their way to a device. */
export interface PushQueueTable {
  subscription_id: string
  notification_id: string
  due_at: number
  tries: Generated<number>
  /** It waited for the end of quiet hours. */
  held: Generated<Flag>
  /** When the line last changed: what is told of an older state is told again. */
  queued_at: number
}

/** notifications: the weekly mail of a member (digest/); no row: none sent yet, and they get it. */
export interface DigestsTable {
  user_id: string
  /** Unsubscribes whoever it was mailed to, and does nothing else. */
  token: string
  is_off: Generated<Flag>
  /** The last week it was sent in, by its Monday in Madrid: 20261116. */
  week: number | null
  sent_at: number | null
}

/** notifications: how far the digests of a week have got, in the order of the members' ids. */
export interface DigestRunsTable {
  week: number
  cursor: Generated<string>
  done: Generated<Flag>
}

/** places: what Mapbox said about a text (as `placeKey` makes it); without a place, that it knew none. Old rows go. */
export interface GeocodesTable {
  key: string
  lon: number | null
  lat: number | null
  place_name: string | null
  created_at: number
}

/** live: what happened, in order; swept after a while. A null `user_id` is for everyone, else for that member alone. */
export interface EventsTable {
  id: Generated<number>
  type: 'like' | 'dog' | 'comment' | 'notification'
  user_id: string | null
  /** JSON. */
  data: string
  created_at: number
}

/** Kept by triggers on `dogs`: which dogs are whose (owner or discoverer), in list order. */
export interface MemberDogsTable {
  user_id: string
  dog_id: string
  breed_slug: string
  created_at: number
}

/** Kept by triggers: how many dogs of a breed a member has; no row means none. */
export interface MemberBreedsTable {
  user_id: string
  breed_slug: string
  dogs: number
}

/** Kept by triggers: dogs and likes per breed and size (`''` where a dog has none). At most breeds x 6 rows. */
export interface DogTalliesTable {
  breed_slug: string
  size: string
  dogs: number
  likes: number
}

/** Kept by triggers: dogs added per Madrid day, breed and size. */
export interface DogDayTalliesTable {
  day: number
  breed_slug: string
  size: string
  dogs: number
}

/** Kept by triggers: one row per thing counted (`profiles`). */
export interface TotalsTable {
  name: string
  value: number
}

/** Kept by triggers: how many members have so many dogs. */
export interface RankingDogsTable {
  dogs: number
  members: number
}

/** Kept by triggers: how many members have so many dogs and gave so many likes. */
export interface RankingLikesTable {
  dogs: number
  likes: number
  members: number
}

/**
 * breeds: what the admin changed of a breed, one row a save; the rows that are not undone, oldest first, lie over
 * data/razas.json.
 */
export interface BreedOverridesTable {
  id: string
  breed_slug: string
  /** JSON: field names of spec.md §3 and their new texts. */
  changes: string
  /** JSON: the same fields as they stood before. */
  before: string
  user_id: string | null
  created_at: number
  undone_at: number | null
}

/** What may be reported and held; a photo's `thing_id` is its url, the others' their id. */
export type ThingKind = 'dog' | 'photo' | 'comment' | 'profile'

/** reports: what a member says of a thing. */
export interface ReportsTable {
  id: string
  kind: ThingKind
  thing_id: string
  /** Null once who said it is gone. */
  user_id: string | null
  reason: string
  words: string
  /** Where it was sent from, as a hash under that day's key (`report_keys`): compared, never undone. Null once it is closed. */
  origin: string | null
  /** Whether it counts towards hiding by itself: not from an account of the same day. */
  counts: Flag
  created_at: number
  closed_at: number | null
}

/** reports: the key of a day's origins; it goes with its day. */
export interface ReportKeysTable {
  day: number
  key: string
}

/** moderation: a thing about which there is, or was, something to decide. */
export interface CasesTable {
  id: string
  kind: ThingKind
  thing_id: string
  /** Why it first came here. */
  cause: 'reports' | 'words' | 'anonymous'
  /** Whose it is; of a dog the owner, else the discoverer. */
  user_id: string | null
  dog_id: string | null
  /** Open reports. */
  reports: Generated<number>
  open: Generated<Flag>
  created_at: number
  latest_at: number
}

/**
 * moderation: the log of everything done, by the admin or by the house (`admin_id` null). Rows are never changed, but for
 * `thing_id`, `what` and `reason` where the member they are of deleted their account.
 */
export interface DecisionsTable {
  id: string
  case_id: string | null
  kind: ThingKind
  thing_id: string
  /** What the thing was, in words that stay when it is gone: «Toby, Beagle». */
  what: string
  deed: 'hide' | 'hold' | 'auto-hide' | 'restore' | 'delete' | 'warn' | 'ban' | 'unban' | 'dismiss' | 'note'
  admin_id: string | null
  /** What its people read; of a note what the admin wrote down. */
  reason: string
  /** The end of a ban; null for good. */
  until: number | null
  created_at: number
}

/** moderation: whom a decision concerns, and what they answered, once. */
export interface DecisionPeopleTable {
  decision_id: string
  user_id: string
  appeal: string | null
  appeal_at: number | null
  created_at: number
}

/** moderation: what was taken out of sight, whole. */
export interface HeldTable {
  kind: ThingKind
  thing_id: string
  dog_id: string | null
  /** Whose it is, and of a dog the other of its two people: they still see it. */
  user_id: string | null
  other_id: string | null
  /** A dog's address. */
  path_breed: string | null
  path_slug: string | null
  /** Of the request that added the dog. */
  idempotency_key: string | null
  cause: 'reports' | 'words' | 'anonymous' | 'admin'
  /** JSON: the rows as they stood. */
  snapshot: string
  created_at: number
}

/** moderation: who may not write. */
export interface BansTable {
  user_id: string
  /** Null for good. */
  until: number | null
  reason: string
  created_at: number
}

/** moderation: who does not want to meet whom; it holds both ways. */
export interface BlocksTable {
  user_id: string
  blocked_id: string
  created_at: number
}

export interface Schema {
  users: UsersTable
  sessions: SessionsTable
  sign_in_tokens: SignInTokensTable
  oauth_accounts: OauthAccountsTable
  profiles: ProfilesTable
  dogs: DogsTable
  dog_paths: DogPathsTable
  dog_images: DogImagesTable
  dog_claims: DogClaimsTable
  ownership_requests: OwnershipRequestsTable
  idempotency_keys: IdempotencyKeysTable
  dog_likes: DogLikesTable
  comments: CommentsTable
  notifications: NotificationsTable
  member_dogs: MemberDogsTable
  member_breeds: MemberBreedsTable
  dog_tallies: DogTalliesTable
  dog_day_tallies: DogDayTalliesTable
  totals: TotalsTable
  ranking_dogs: RankingDogsTable
  ranking_likes: RankingLikesTable
  breed_overrides: BreedOverridesTable
  events: EventsTable
  geocodes: GeocodesTable
  push_subscriptions: PushSubscriptionsTable
  notice_settings: NoticeSettingsTable
  push_queue: PushQueueTable
  digests: DigestsTable
  digest_runs: DigestRunsTable
  reports: ReportsTable
  report_keys: ReportKeysTable
  cases: CasesTable
  decisions: DecisionsTable
  decision_people: DecisionPeopleTable
  held: HeldTable
  bans: BansTable
  blocks: BlocksTable
}
