// What is counted. Triggers keep all of it; no feature writes here.

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

/** Kept by triggers: likes given per hour of UTC, counted from 1970. */
export interface LikeHourTalliesTable {
  hour: number
  likes: number
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
