/** Who is asking, as every page and endpoint sees them. Times in milliseconds. */
export interface CurrentUser {
  id: string
  email: string | null
  alias: string
  emoji: string
  verified: boolean
}
