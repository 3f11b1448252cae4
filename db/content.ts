import { type RawBuilder, sql } from 'kysely'

/** Why nobody but its people and the admin sees content: a bit each in its column `hidden`. Causes add up, and each ends by itself. */
const CAUSES = {
  /** It waits for the admin's first look. */
  words: 1,
  anonymous: 1,
  /** What its sender sent before was refused. */
  sender: 1,
  /** Members have reported it. */
  reports: 2,
  /** The admin hides it. */
  admin: 4,
  /** Its member's account waits for its deletion. */
  deletion: 8,
  /** What it belongs to is hidden. */
  within: 16,
} as const
export type HiddenCause = keyof typeof CAUSES

/** What is hidden in its table, `key` its id. Reads name the view, which shows the rest; writes name the table. */
export const CONTENT = {
  dog: { table: 'dogs_all', view: 'dogs', key: 'id' },
  photo: { table: 'dog_images_all', view: 'dog_images', key: 'url' },
  comment: { table: 'comments_all', view: 'comments', key: 'id' },
  opinion: { table: 'breed_opinions_all', view: 'breed_opinions', key: 'id' },
  profile: { table: 'profiles_all', view: 'profiles', key: 'id' },
  sighting: { table: 'sightings_all', view: 'sightings', key: 'id' },
  found: { table: 'found_notices_all', view: 'found_notices', key: 'id' },
} as const
export type ContentKind = keyof typeof CONTENT

/** Condition of rows of a dog, which are shown with it. */
const ofShownDog = (table: string) =>
  `EXISTS (SELECT 1 FROM dogs_all AS d WHERE d.id = ${table}.dog_id AND d.hidden = 0)`

/** Condition of rows of a member who does not leave, or of nobody; they are deleted when the account ends. */
const ofPresent = (member: string) =>
  ['account_deletions', 'account_erasures']
    .map((table) => `NOT EXISTS (SELECT 1 FROM ${table} AS l WHERE l.user_id = ${member})`)
    .join(' AND ')

/** What each view shows of its table, `{view}_all`. */
export const VIEWS = {
  dogs: 'hidden = 0',
  dog_images: 'hidden = 0',
  comments: `hidden = 0 AND ${ofShownDog('comments_all')}`,
  dog_likes: `hidden = 0 AND ${ofShownDog('dog_likes_all')}`,
  ownership_requests: `hidden = 0 AND ${ofShownDog('ownership_requests_all')}`,
  notifications: `(dog_id IS NULL OR ${ofShownDog('notifications_all')})
    AND ${ofPresent('coalesce(notifications_all.named_id, notifications_all.actor_id)')}`,
  breed_opinions: 'hidden = 0',
  profiles: 'hidden = 0',
  sightings: `hidden = 0 AND ${ofPresent('sightings_all.member_id')}`,
  found_notices: `hidden = 0 AND state = 'open'`,
} as const

/** Whether it waits for the admin's first look: nobody else has seen it. */
export const hasWaited = (hidden: number): boolean => (hidden & CAUSES.words) !== 0

/** The same, and it is hidden for nothing else. */
export const waitsOnly = (hidden: number): boolean => hidden === CAUSES.words

/** The column's value with this cause alone, or without any. */
export const onlyCause = (cause: HiddenCause | undefined): number => (cause === undefined ? 0 : CAUSES[cause])

/** The column with one more cause. */
export const withCause = (cause: HiddenCause): RawBuilder<number> => sql`hidden | ${sql.lit(CAUSES[cause])}`

/** The column without these causes. */
export const withoutCauses = (...causes: HiddenCause[]): RawBuilder<number> =>
  sql`hidden & ${sql.lit(~causes.reduce((sum, cause) => sum | CAUSES[cause], 0))}`

/** Condition: the column has this cause. */
export const hasCause = (cause: HiddenCause): RawBuilder<boolean> => sql`(hidden & ${sql.lit(CAUSES[cause])}) != 0`

/** The cause that counts most of a column's value; undefined for what is shown. */
export const mainCause = (hidden: number): HiddenCause | undefined =>
  (['admin', 'reports', 'words', 'deletion'] as const).find((cause) => (hidden & CAUSES[cause]) !== 0)
