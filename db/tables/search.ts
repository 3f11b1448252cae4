// The index for searching names. Triggers maintain it; no feature writes here.

/** By triggers: a name from each of its words to the end; `place` is 0 for the whole name, 1 for the others. */
export interface NameWordsTable {
  place: number
  /** Without accents and signs, in lower case. */
  plain: string
  /** The same with its accents. */
  low: string
  /** Id of the dog or member. */
  id: string
}

/** Letters that SQLite's lower() does not know, as the search reads them; filled by the migration. */
export interface SearchLettersTable {
  letter: string
  plain: string
  low: string
}
