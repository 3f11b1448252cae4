// What names are searched by. Triggers keep it; no feature writes here.

/** Kept by triggers: a name from each of its words on; `place` is 0 for the whole name, 1 for what begins later. */
export interface NameWordsTable {
  place: number
  /** Without accents and signs, in lower case. */
  plain: string
  /** The same with its accents. */
  low: string
  /** The dog's or the member's. */
  id: string
}

/** How a letter that SQLite's lower() does not know is read; made by the migration, the same for everyone. */
export interface SearchLettersTable {
  letter: string
  plain: string
  low: string
}
