// Who is here: their accounts, sessions and profiles.
import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

/** auth */
export interface UsersTable {
  id: string
  /** Lower case; null where a provider gave none. */
  email: string | null
  created_at: number
}

/** auth, through lucia. `id` is the sha256 of the token in the cookie; `expires_at` is in seconds (lucia's own unit). */
export interface SessionsTable {
  id: string
  user_id: string
  expires_at: number
  created_at: Generated<number>
  /** «Firefox en Windows», from the User-Agent of whoever signed in; null where it said nothing. */
  device: string | null
  /** What its member ends it by: random, and no way to the token or its hash. */
  public_id: string
}

/** auth: one row per mail sent. Link token and code are stored hashed; either signs in, once. */
export interface SignInTokensTable {
  id: string
  email: string
  token_hash: string
  code_hash: string
  tries: Generated<number>
  expires_at: number
  used_at: number | null
  created_at: number
}

/** auth */
export interface OauthAccountsTable {
  provider: string
  provider_user_id: string
  user_id: string
  created_at: number
}

/** profiles; the three counts are kept by triggers. */
export interface ProfilesTable {
  id: string
  alias: string
  /** The alias folded, for uniqueness as people read it: «Ana» and «ána» are one. */
  alias_key: string
  emoji: string
  verified: Generated<Flag>
  created_at: number
  /** Dogs whose owner or discoverer this member is, each once. */
  dogs_count: Generated<number>
  /** Distinct breeds among those dogs. */
  breeds_count: Generated<number>
  /** Likes this member gave. */
  likes_count: Generated<number>
}
