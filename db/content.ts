import { type RawBuilder, sql } from 'kysely'

/** Why nobody but its people and the admin sees content: a bit each in its column `hidden`. Causes add up, and each ends by itself. */
const CAUSES = {
  /** It waits for the admin's first look. */
  words: 1,
  anonymous: 1,
  /** Members have reported it. */
  reports: 2,
  /** The admin hides it. */
  admin: 4,
  /** Its member's account waits for its deletion. */
  deletion: 8,
} as const
export type HiddenCause = keyof typeof CAUSES

/** What is hidden in its table. Reads name the view, which shows the rest; writes name the table. */
export const CONTENT = {
  comment: { table: 'comments_all', view: 'comments' },
  opinion: { table: 'breed_opinions_all', view: 'breed_opinions' },
  profile: { table: 'profiles_all', view: 'profiles' },
} as const
export type ContentKind = keyof typeof CONTENT

export const isContentKind = (kind: string): kind is ContentKind => Object.hasOwn(CONTENT, kind)

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
