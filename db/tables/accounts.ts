// Accounts, sessions and profiles.
import type { Generated } from 'kysely'
import type { Flag } from './system.ts'

/** auth */
export interface UsersTable {
  id: string
  /** Composed (NFC), lower case; null where a provider gave none. */
  email: string | null
  created_at: number
  /** When somebody last said that it was not they who used it (auth/dispute); null: nobody has. */
  disputed_at: number | null
}

/** auth, through lucia. `id` is the sha256 of the token in the cookie; `expires_at` is in seconds (lucia's own unit). */
export interface SessionsTable {
  id: string
  user_id: string
  expires_at: number
  created_at: Generated<number>
  /** «Firefox en Windows», from the User-Agent at sign-in; null where that names none. */
  device: string | null
  /** Random id by which its member ends it; it reveals neither the token nor its hash. */
  public_id: string
  /** Time of the member's last authentication, at sign-in or later. 0: by a provider, where the account has an address. */
  proved_at: Generated<number>
  /** How: by one of their passkeys, or null for any other way. */
  proved_by: 'passkey' | null
}

/** auth: a link and its code, which one or more mails hold. Both are stored hashed; either works once. */
export interface SignInTokensTable {
  id: string
  email: string
  /** The normalised address (`mailboxOf`), used only to limit mails and attempts. */
  mailbox: string | null
  /** The known device that requested it (`account_devices.sign_in_device`, or a session); null: one that never signed in to this address. */
  device: string | null
  /** Its purpose: signing in, confirming the identity of a signed-in member, or that a new address of theirs reaches them. */
  purpose: Generated<'enter' | 'confirm' | 'address'>
  token_hash: string
  code_hash: string
  /** Who had it made other than by asking for a mail. */
  issuer: 'operator' | null
  /** Wrong codes while it was valid: on unknown devices, and on known ones. */
  tries: Generated<number>
  device_tries: Generated<number>
  /** Mails that held them, and when the last went out; null in rows of nodes of an earlier version, for the one at `created_at`. */
  mails: Generated<number>
  mailed_at: number | null
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

/** auth: a public key by which its member signs in (WebAuthn). `id` is ours; binary values are in base64url. */
export interface PasskeysTable {
  id: string
  user_id: string
  /** The authenticator's name for it. */
  credential_id: string
  /** COSE. */
  public_key: string
  /** Signatures that the authenticator has counted; 0 where it counts none. */
  counter: number
  /** What authenticators know the account by: random, the same for all passkeys of an account. */
  user_handle: string
  /** The host it was made for: it works at no other. */
  rp_id: string
  /** How browsers reach the authenticator, separated by spaces. */
  transports: string
  /** As its member calls it. */
  name: string
  /** «Firefox en Windows», where it was made. */
  device: string | null
  created_at: number
  used_at: number | null
}

/** account: the steps of a new member that they have done or dismissed. */
export interface FirstDaysTable {
  user_id: string
  /** `alias`, `zone`, `start`, or `all` of them (features/account/first-days). */
  step: string
  closed_at: number
}

/** secrets: what grants access by itself, as links and codes. Its hash alone is stored. */
export interface SecretsTable {
  /** sha256, in hexadecimal. */
  hash: string
  /** One of `KINDS` (features/secrets). */
  kind: string
  /** Whose it is; null for a visitor's. */
  user_id: Generated<string | null>
  dog_id: Generated<string | null>
  /** What else it is about: a year, a side of a conversation. */
  about: Generated<string>
  /** Null: it is good until it is ended. */
  expires_at: number | null
  used_at: Generated<number | null>
  created_at: number
}

/** auth: a new mail address that its member has asked for or confirmed. */
export interface EmailChangesTable {
  id: string
  user_id: string
  email: string
  /** The address before it; null before the confirmation, and where there was none. */
  previous_email: string | null
  created_at: number
  confirmed_at: number | null
}

/**
 * auth: devices that an account was signed in with, by the device's cookie and what its browser calls itself. What is not here is a new
 * device.
 */
export interface AccountDevicesTable {
  id: string
  user_id: string
  /** sha256 of the device's cookie and the account's id; where its name was never stored, that with the address. */
  secret_hash: string
  /** «Firefox en Windows»; empty where the User-Agent names nothing. */
  device: string
  /** sha256 of the device's cookie and the account's address, by which mails and codes know it before anybody is signed in. */
  sign_in_device: string | null
  created_at: number
  used_at: number
}

/** auth: a sign-in on a new device, a way in that was added, or a change of address, of which one of the account's addresses is notified. */
export interface SignInAlertsTable {
  id: string
  user_id: string
  /** One of `SECURITY_EVENTS` (auth/security-log). */
  event: Generated<string>
  /** Of a sign-in the session's public id; the session may have ended. */
  session_id: string
  /** Of versions before: `account_devices.id`. */
  device_id: string
  /** Of a sign-in the device, else the event's detail. */
  device: string
  /** One of the addresses of that moment, which the mail goes to; null: the account had none. */
  email: string | null
  /** Hash of the secret of the mail's link; those that one mail names share it. */
  token_hash: string | null
  created_at: number
  /** When the mail is next tried. */
  try_at: number
  tries: Generated<number>
  /** When the mail was sent; of an account without address the time of the event. */
  sent_at: number | null
  /** When the member said that it was not they. */
  used_at: number | null
  /** JSON, `RemovedWay` (auth/ways): a dispute gives it back. */
  removed: Generated<string | null>
}

/** auth: what happened with an account's sign-ins and keys; a year. Holds no network addresses. */
export interface SecurityLogTable {
  id: string
  user_id: string
  /** One of `SECURITY_EVENTS` (auth/security-log). */
  event: string
  /** How they signed in, the provider, or the passkey's name. */
  detail: string | null
  device: string | null
  created_at: number
}

/** account: a deletion that has begun; the next start finishes it. The row is deleted with the account. */
export interface AccountErasuresTable {
  user_id: string
  dogs: 'delete' | 'keep'
  created_at: number
}

/**
 * account: a deletion that its member may undo until `due_at`. What is theirs is being taken out of sight (`hiding`), out of sight (`waiting`), or
 * being brought back (`restoring`), after which the row is deleted.
 */
export interface AccountDeletionsTable {
  user_id: string
  dogs: 'delete' | 'keep'
  state: 'hiding' | 'waiting' | 'restoring'
  requested_at: number
  due_at: number
}

/** account: what the member of such an account was of dogs: nobody is meanwhile. It is theirs again when they return, or else another's. */
export interface LeftRolesTable {
  user_id: string
  role: 'user_id' | 'owner_id' | 'discoverer_id'
  dog_id: string
}

/** profiles; triggers maintain the three counts. */
export interface ProfilesTable {
  id: string
  alias: string
  /** The normalised alias, which must be unique: «Ana» and «ána» are the same. */
  alias_key: string
  emoji: string
  verified: Generated<Flag>
  created_at: number
  /** Dogs of which this member is owner or discoverer, each counted once. */
  dogs_count: Generated<number>
  /** Distinct breeds among those dogs. */
  breeds_count: Generated<number>
  /** Likes this member gave. */
  likes_count: Generated<number>
  /** Why everybody else reads «Usuario» instead (db/content.ts); 0 for what everybody sees. */
  hidden: Generated<number>
}

export type FollowKind = 'member' | 'breed' | 'zone'

/** follows: what members follow. */
export interface FollowsTable {
  user_id: string
  kind: FollowKind
  /** The member's id, the breed's slug, or the INE number of the province. */
  target_id: string
  created_at: number
}
