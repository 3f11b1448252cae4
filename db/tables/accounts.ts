// Who is here: their accounts, sessions and profiles.
import type { Generated } from 'kysely'
import type { Flag } from './system.ts'

/** auth */
export interface UsersTable {
  id: string
  /** Composed (NFC), lower case; null where a provider gave none. */
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
  /** When its member last proved who they are: by signing in, or since then with a mailed code. */
  proved_at: Generated<number>
}

/** auth: one row per mail sent. Link token and code are stored hashed; either serves once. */
export interface SignInTokensTable {
  id: string
  email: string
  /** The address folded (`mailboxOf`), by which mails and tries are limited, and nothing else is done. */
  mailbox: string | null
  /** Which known device asked for it (`sign_in_devices.id`, or a session); null: one that never signed in to this address. */
  device: string | null
  /** What it is good for: signing in, or confirming that it is still the member who sits there. */
  purpose: Generated<'enter' | 'confirm'>
  token_hash: string
  code_hash: string
  /** How often codes were mistyped while it lived: on unknown devices, and on known ones. */
  tries: Generated<number>
  device_tries: Generated<number>
  expires_at: number
  used_at: number | null
  created_at: number
}

/** auth: devices that signed in to an address. `id` is the sha256 of what the device's cookie holds, and the address. */
export interface SignInDevicesTable {
  id: string
  user_id: string
  used_at: number
}

/** auth */
export interface OauthAccountsTable {
  provider: string
  provider_user_id: string
  user_id: string
  created_at: number
}

/** account: a deletion that has begun; what is left of it is done at the next start. The row goes with the account. */
export interface AccountErasuresTable {
  user_id: string
  dogs: 'delete' | 'keep'
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
