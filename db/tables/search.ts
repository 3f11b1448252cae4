// The index for searching names.

/** dogs: `dog_words`; profiles: `member_words`. A name from each of its words to the end; `place` is 0 for the whole name, 1 for the others. */
export interface NameWordsTable {
  place: number
  /** Without accents and signs, in lower case. */
  plain: string
  /** The same with its accents. */
  low: string
  /** Id of the dog or member. */
  id: string
}
