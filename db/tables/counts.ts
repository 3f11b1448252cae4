// Counts. Triggers maintain all of them; no feature writes here.

/** By triggers on `dogs`: the dogs of each owner and discoverer, in list order. */
export interface MemberDogsTable {
  user_id: string
  dog_id: string
  breed_slug: string
  created_at: number
}

/** By triggers: dogs of a breed per member; no row means none. */
export interface MemberBreedsTable {
  user_id: string
  breed_slug: string
  dogs: number
}

/** By triggers: dogs and likes per breed and size (`''` where a dog has none). At most breeds x 6 rows. */
export interface DogTalliesTable {
  breed_slug: string
  size: string
  dogs: number
  likes: number
}

/** By triggers: dogs added per Madrid day, breed and size. */
export interface DogDayTalliesTable {
  day: number
  breed_slug: string
  size: string
  dogs: number
}

/** By triggers: dogs of a breed per province, and under `ES` of all provinces. Dogs abroad and without a place are not counted. */
export interface ProvinceBreedsTable {
  /** INE number, or `ES`. */
  province: string
  breed_slug: string
  dogs: number
}

/** By triggers: likes per hour (UTC, hours since 1970). */
export interface LikeHourTalliesTable {
  hour: number
  likes: number
}

/** By triggers: one row per count (`profiles`). */
export interface TotalsTable {
  name: string
  value: number
}

/** By triggers: members per number of dogs. */
export interface RankingDogsTable {
  dogs: number
  members: number
}

/** By triggers: members per number of dogs and of likes given. */
export interface RankingLikesTable {
  dogs: number
  likes: number
  members: number
}
