import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import type { Trx as Db } from '#db/client.ts'
import { sessionCookieName } from '#features/auth/auth.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { createSession } from '#features/auth/sessions/sessions.server.ts'
import { createRecoveryCodes } from '#features/auth/recovery-codes/recovery-codes.server.ts'
import { logSecurityEvent } from '#features/auth/security-log/security-log.server.ts'
import { holdComment } from '#tests/support/moderation/held-comment.ts'
import { addAlertRow } from '#tests/support/auth/alert-row.ts'
import { addPasskeyRow } from '#tests/support/auth/passkey-row.ts'
import { issueToken } from '#features/auth/sign-in/sign-in-tokens.server.ts'
import { ALBUM_LINK, createMemberLink } from '#features/profiles/member-links.server.ts'
import { addComment } from '#features/comments/comments.server.ts'
import { addDog } from '#features/dogs/write/add.server.ts'
import type { Dog } from '#features/dogs/dogs.ts'
import { like } from '#features/likes/likes.server.ts'
import { saveLostCase } from '#features/lost/cases.server.ts'
import { saveLostAlerts } from '#features/lost/alerts/alert-settings.server.ts'
import { saveHomeZone } from '#features/nearby/home-zone/home-zone.server.ts'
import { storeNotification } from '#features/notifications/notifications.server.ts'
import { setDigestEnabled } from '#features/notifications/digest/digest.server.ts'
import { readYearSummary } from '#features/years/summary.server.ts'
import { madridYear, yearLink } from '#features/years/years.ts'
import { writeFound } from './found-world.ts'
import { writeMessages } from './contact-world.ts'
import { FREE_TEXT_NAMES, type FreeText } from '#features/dogs/write/dog-fields.ts'
import { dog, member, seed } from '../seed.ts'
import { CANARIES, type Canary } from './canaries.ts'
import { writeAboutOthersDog } from './others-dog.ts'
import { placeOf } from './world-places.ts'

/** Where a thing stands: for everyone, for its people and the admin, or nowhere any more. */
export type State = 'shown' | 'held' | 'gone'

/** One member with everything that a person can leave behind, and what was done with it. */
export interface World {
  name: string
  /** The actions, in order. */
  steps: readonly string[]
  words: Record<Canary, string>
  ana: CurrentUser
  cookie: string
  toby: Dog
  /** Of another member, whom all worlds share: Ana said something of it. */
  luna: Dog
  comment: string
  /** What stands where now; what is not written yet, or was never public, is not in it. */
  states: Map<Canary, State>
  photos: [State, State]
  /** The admin hid its first photo alone. */
  isPhotoHidden: boolean
  /** Whether its owner still looks for the lost dog: others see nothing of the search for a dog that has another owner, or none. */
  isSearched: boolean
  hasAccount: boolean
  isBanned: boolean
  /** What claims its dog; only of one that was added without account, and waits from the start. */
  token: string | undefined
  /** The admin had to do with it: its log, and bells, name what was decided. */
  isModerated: boolean
  /** Addresses that its photos ever had: `/photos/…`. */
  addresses: Set<string>
}

/** Whom all worlds share. */
export interface Cast {
  db: Db
  dataDir: string
  luis: CurrentUser
  eva: CurrentUser
  /** Eva's dog. */
  kira: Dog
  admin: CurrentUser
  cookies: { luis: string; admin: string }
  /** Members of long standing, enough of them for a thing to be hidden by their reports. */
  crowd: readonly string[]
}

export const createCookie = async (db: Db, userId: string) =>
  `${sessionCookieName(false)}=${(await createSession(db, userId)).token}`

export const DOG_CANARIES = ['name', 'breed', 'zone', ...FREE_TEXT_NAMES, 'coveralt', 'secondalt'] as const

/** What nobody else ever sees: the member's own, and what the admin wrote of them. */
export const PRIVATE_CANARIES = [
  'email',
  'oldemail',
  'keyname',
  'provider',
  'endpoint',
  'publickey',
  'pushsecret',
  'adminword',
  'message',
  'ownreport',
  'sighting',
  'foundcoat',
  'foundcollar',
  'foundwords',
  'foundquestion',
  'foundanswer',
  'appeal',
  'reason',
  'note',
] as const

const LETTERS = 'abcdefghij'
/** `zqaaename`: letters alone, so that addresses and search words spell it alike. */
const canaryText = (number: number, canary: Canary) =>
  `zq${[...String(number).padStart(3, '0')].map((digit) => LETTERS[Number(digit)]).join('')}x${canary}`

const GREY_TONES = [0, 85, 170, 255]
/** Squares in a row and in a column, and the side of one in pixels. */
const SIDE = 3
const SQUARE = 40
/** Nine squares of grey tones tell every photo from any other, after however many encodings. */
export const greyMarksOf = (number: number): number[] =>
  Array.from({ length: SIDE ** 2 }, (_, place) => Math.floor(number / 4 ** place) % 4)
/** The number of a marked photo; null for a picture that is none of the contract's. */
export async function markedNumber(bytes: Buffer): Promise<number | null> {
  const { data } = await sharp(bytes)
    .removeAlpha()
    .resize(SIDE, SIDE, { fit: 'fill', kernel: 'nearest' })
    .grayscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const tones = [...data].map((tone) => GREY_TONES.findIndex((each) => Math.abs(each - tone) < 30))
  return tones.some((tone) => tone < 0) ? null : tones.reduce((sum, tone, place) => sum + tone * 4 ** place, 0)
}

async function markedPhoto(number: number): Promise<File> {
  const marks = greyMarksOf(number)
  const width = SIDE * SQUARE
  const pixels = Buffer.alloc(width * width)
  for (let y = 0; y < width; y++)
    for (let x = 0; x < width; x++)
      pixels[y * width + x] = GREY_TONES[marks[Math.floor(y / SQUARE) * SIDE + Math.floor(x / SQUARE)]!]!
  const canvas = sharp(pixels, { raw: { width, height: width, channels: 1 } }).toColourspace('srgb')
  const jpeg = await canvas.jpeg({ quality: 95 }).toBuffer()
  return new File([jpeg as Buffer<ArrayBuffer>], 'foto.jpg', { type: 'image/jpeg' })
}

/** Fills a world by the same functions that the routes call. @param number which one it is: its words and photos follow */
export async function createWorld(cast: Cast, number: number, steps: readonly string[]): Promise<World> {
  const { db, dataDir, luis } = cast
  const words = Object.fromEntries(CANARIES.map((canary) => [canary, canaryText(number, canary)])) as World['words']
  const [ana] = await seed(db, member({ alias: words.alias, email: `${words.email}@ejemplo.es` }))
  const input = {
    name: words.name,
    breed: `mezcla ${words.breed}`,
    zone: words.zone,
    ...(Object.fromEntries(FREE_TEXT_NAMES.map((name) => [name, words[name]])) as Record<FreeText, string>),
    age: null,
    age_unit: null,
    weight: null,
    size: null,
    is_adopted: false,
    relationship: 'owner' as const,
  }
  const isAnonymous = steps.includes('anonymous')
  const { dog: toby, association } = await addDog(db, dataDir, {
    input,
    uploads: [await markedPhoto(2 * number), await markedPhoto(2 * number + 1)],
    alts: [words.coveralt, words.secondalt],
    userId: isAnonymous ? null : ana.id,
    holdAnonymous: true,
    idempotency: { sender: isAnonymous ? 'anonymous' : ana.id, key: words.requestkey.padEnd(40, 'k') },
  })
  const [luna] = await seed(db, dog({ owner_id: luis.id, name: `Luna ${number}` }))
  const isCommentHeld = steps.includes('heldComment')
  const { id: comment } = await (isCommentHeld ? holdComment : addComment)(db, ana, luna.id, words.comment)
  await like(db, ana, luna.id)
  await writeAboutOthersDog(db, ana, { dogId: luna.id, owner: luis, number }, words)
  if (!isAnonymous) {
    await like(db, luis, toby.id)
    await addComment(db, luis, toby.id, words.answered)
  }
  if (!isAnonymous) await loseDog(db, ana, { dogId: toby.id, number }, words)
  await writeFound(db, { ana, luis, number }, words)
  await writePrivateData(db, ana, words)
  await writeYears(db, [ana, luis])
  const dogState = isAnonymous ? 'held' : 'shown'
  const states = new Map<Canary, State>(DOG_CANARIES.map((canary) => [canary, dogState]))
  states.set('alias', 'shown')
  states.set('opinion', 'shown')
  states.set('comment', isCommentHeld ? 'held' : 'shown')
  if (!isAnonymous) for (const canary of ['answered', 'losthelp'] as const) states.set(canary, 'shown')
  return {
    name: steps.join(' → '),
    steps,
    words,
    ana,
    toby,
    luna,
    comment,
    hasAccount: true,
    isBanned: false,
    isModerated: isAnonymous || isCommentHeld,
    token: association?.token,
    cookie: await createCookie(db, ana.id),
    states,
    photos: [dogState, dogState],
    isPhotoHidden: false,
    isSearched: true,
    addresses: new Set(toby.images.map(({ url }) => `/photos/${url.split('/').at(-1)}`)),
  }
}

/** A case that is open, and what an earlier one left behind. */
async function loseDog(
  db: Db,
  ana: CurrentUser,
  { dogId, number }: { dogId: string; number: number },
  words: World['words'],
): Promise<void> {
  const place = placeOf(number, { lat: 40.4168, lon: -3.7038 })
  const input = { since: Date.now(), zone: null, ...place, help: words.losthelp, chip: true }
  await saveLostCase(db, ana, dogId, input)
  await db.updateTable('lost_history').set({ help: words.losthelp }).where('dog_id', '=', dogId).execute()
}

/** Years that name the dogs, and each other of the two. */
async function writeYears(db: Db, people: readonly CurrentUser[]): Promise<void> {
  const now = Date.now()
  for (const { id } of people) {
    await readYearSummary(db, id, madridYear(now), now)
    await createMemberLink(db, { id }, yearLink(madridYear(now)), now)
  }
}

/** What nobody but the member, or nobody at all, ever sees. */
async function writePrivateData(db: Db, ana: CurrentUser, words: World['words']): Promise<void> {
  await issueToken(db, ana.email!)
  await db
    .insertInto('oauth_accounts')
    .values({ provider: 'google', provider_user_id: words.provider, user_id: ana.id, created_at: 1 })
    .execute()
  await addPasskeyRow(db, ana.id, { name: words.keyname, created_at: 1 })
  await logSecurityEvent(db, ana.id, 'passkey-added', { detail: words.keyname })
  await addAlertRow(db, ana.id, { sessionId: randomUUID(), email: ana.email })
  await createRecoveryCodes(db, { id: ana.id, authenticatedAt: Date.now() })
  // Nothing that bars the account from being deleted at once.
  await db.updateTable('secrets').set({ created_at: 1 }).execute()
  await db.updateTable('sign_in_alerts').set({ created_at: 1 }).where('event', '!=', 'new-device').execute()
  await db.insertInto('first_days').values({ user_id: ana.id, step: 'alias', closed_at: 1 }).execute()
  await db
    .insertInto('follows')
    .values({ user_id: ana.id, kind: 'breed', target_id: 'beagle', created_at: 1 })
    .execute()
  await db
    .insertInto('riddle_guesses')
    .values({ user_id: ana.id, day: '2026-11-20', position: 1, breed_slug: 'beagle', created_at: 1 })
    .execute()
  await writeMessages(db, ana, words)
  await saveHomeZone(db, ana, { zone: 'Getafe', alert: 25, digest: true })
  await saveLostAlerts(db, ana, {
    zone: 'Getafe',
    radius_km: 5,
    breaks_quiet: true,
    by_mail: true,
    by_push: true,
  })
  await createMemberLink(db, ana, ALBUM_LINK)
  await db.insertInto('badges').values({ user_id: ana.id, badge: 'all-sizes', progress: 2 }).execute()
  await db
    .insertInto('email_changes')
    .values({
      id: randomUUID(),
      user_id: ana.id,
      email: ana.email!,
      previous_email: `${words.oldemail}@ejemplo.es`,
      created_at: Date.now(),
      confirmed_at: Date.now(),
    })
    .execute()
  await setDigestEnabled(db, ana.id, true)
  await storeNotification(db, { userId: ana.id, title: 'Mensaje', content: words.adminword })
  await createSession(db, ana.id)
  const { id: session_id } = await db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', ana.id)
    .executeTakeFirstOrThrow()
  const device = { endpoint: `https://ejemplo.es/${words.endpoint}`, p256dh: words.publickey, auth: words.pushsecret }
  await db
    .insertInto('push_subscriptions')
    .values({ id: randomUUID(), user_id: ana.id, session_id, ...device, created_at: 1 })
    .execute()
}
