/** Somebody whom a member blocked; without alias where their profile is not to be seen. */
export interface BlockedMember {
  id: string
  alias: string | null
  emoji: string | null
}
