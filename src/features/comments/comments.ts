/** A comment as it is shown; `created_at` in milliseconds. */
export interface Comment {
  id: string
  user_id: string
  content: string
  created_at: number
  alias: string
  emoji: string
}

/** The longest comment, in characters as a person counts them (spec.md §5). */
export const COMMENT_LIMIT = 300
