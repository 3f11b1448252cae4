// How a table is described (personal-data.server.ts).

/**
 * What a column holds:
 * - `owner`: the member whose row it is, which goes with their account
 * - `named`: a member who is not named once their account is gone: the row stays, the column is null
 * - `person`: a member, or their address, whom a function of the feature erases (features/account/erase.server.ts)
 * - `trace`: the id of a member that stays and leads to nobody
 * - `words`: what somebody wrote, or their device or provider sent
 * - `value`, `flag`, `time`: what was chosen of our lists, measured or counted; 0 or 1; when
 * - `id`: of another thing
 * - `secret`: a hash, a key, or what grants access
 * - `inner`: what only the program needs: positions, attempts, keys of an order
 *
 * Of an exported table the words, values, flags and times are exported.
 */
export type ColumnKind =
  | 'owner'
  | 'named'
  | 'person'
  | 'trace'
  | 'words'
  | 'value'
  | 'flag'
  | 'time'
  | 'id'
  | 'secret'
  | 'inner'

/** The last value of a column that has expired: its age in ms, or what a function says of now. Null: the column is empty. */
type Bound = number | null | ((now: number) => number)
/** A row has expired once all of these columns have. */
export type Rule = Readonly<Record<string, Bound>>

export interface Entry {
  /** Every column by its kind: `owner(user_id) time(created_at)`. */
  columns: string
  /** Rows go by any of these rules; where there are none, the feature says when (maintenance/retention.server.ts). */
  until?: readonly Rule[]
  /** Columns that are cleared while their row stays. */
  forgets?: Readonly<Record<string, Rule>>
  /**
   * `few llaves by created_at: id name:nombre`: a list «llaves» of rows by their time, with the columns `id` and, called «nombre», `name`.
   * `one` row is an object; a `list` is read in pages, in an order that is unique and has no nulls; a `function` of the export writes
   * what is long or joined, with the fields after `+` from elsewhere. A name may begin with its section, `moderacion.`,
   * and have rows of one kind, `of album-link`. Several exports are separated by `; `.
   */
  exported?: string
  /** Why a member does not get what is in it. */
  unexported?: string
}
