import { addDeletionRow } from '#tests/support/account/leaving-row.ts'
import { addAlertRow } from '#tests/support/auth/alert-row.ts'
import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import type { Trx as Db } from '#db/client.ts'
import { issueToken } from '#features/auth/sign-in/sign-in-tokens.server.ts'
import { createRecoveryCodes } from '#features/auth/recovery-codes/recovery-codes.server.ts'
import { createSession } from '#features/auth/sessions/sessions.server.ts'
import { issueSecret } from '#features/secrets/secrets.server.ts'
import { ALBUM_LINK, createMemberLink } from '#features/profiles/member-links.server.ts'
import { like } from '#features/likes/likes.server.ts'
import { setDigestEnabled } from '#features/notifications/digest/digest.server.ts'
import { drawQuestions } from '#features/riddle/round/questions.server.ts'
import { createSeed, writeRound } from '#features/riddle/round/round-token.server.ts'
import type { Round } from '#features/riddle/round/round.ts'
import { encodeCursor } from '#lib/cursor.ts'
import { createSoakWorld } from '#tests/support/matrix/soak-roles.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { startExternalStubs } from './external-stubs.ts'
import { loseDog } from './lost-dog.ts'
import type { Route } from './routes.ts'
import type { Placeholders } from './wire-request.ts'
import { openServerDatabase } from '#tests/support/server-database.ts'

const ADMIN = 'admin@ejemplo.es'
const METRICS_KEY = 'x'.repeat(16)

export interface FullServer {
  server: TestServer
  port: number
  db: Db
  /** A small community of its own, whose photos are there. @param route what it is for, where nothing else is sent there */
  createCommunity: (route?: Route) => Promise<Placeholders>
  close: () => Promise<void>
}

/** A server with everything switched on. `TRUST_PROXY`: each request may come from an address of its own. */
export async function startFullServer(): Promise<FullServer> {
  const others = await startExternalStubs()
  const server = await startServer({ ...others.env, TRUST_PROXY: '1', ADMIN_EMAIL: ADMIN, METRICS_TOKEN: METRICS_KEY })
  const db = openServerDatabase(server)
  const jpeg = await photo(80)
  return {
    server,
    port: Number(new URL(server.url).port),
    db,
    createCommunity: (route) =>
      createPlaceholders({
        db,
        dataDir: server.dataDir,
        device: others.device,
        jpeg,
        hasMails: !route || isMailed(route),
      }),
    close: async () => {
      await db.destroy()
      others.stop()
      await server.dispose()
    },
  }
}

interface CommunityOptions {
  db: Db
  dataDir: string
  device: string
  jpeg: Buffer
  /** Whether codes and links were mailed. Their hashes are slow on purpose, and of many communities most of the work. */
  hasMails: boolean
}

/** Whether a request has anything that a mail brought. */
const isMailed = ({ fields }: Route): boolean =>
  /\{(mailed|code|confirmCode|linkToken|addressCode)\}/.test(JSON.stringify(fields))

async function createPlaceholders({ db, dataDir, device, jpeg, hasMails }: CommunityOptions): Promise<Placeholders> {
  const world = await createSoakWorld(db, dataDir, ADMIN)
  const { dog, owner } = world
  await like(db, world.other, dog.id)
  const lost = await loseDog(db, { dogId: dog.id, ownerId: owner.id, finderId: world.other.id, jpeg })
  const [, breedPath = '', dogPath = ''] = dog.path.split('/')
  return {
    ids: {
      ...(hasMails && (await mailTokens(db, owner.id))),
      ...(await issueTokens(db, owner.id)),
      ...(await addLeavingAccount(db)),
      ...cursorsAfter(dog),
      ...lost,
      dog: dog.id,
      dog8: dog.id.slice(0, 8),
      breedPath,
      dogPath,
      found: world.found.id,
      stray: world.stray.id,
      held: world.held.id,
      heldPhoto: world.held.photo_url.slice('/photos/'.length),
      unclaimed: world.unclaimed.id,
      token: world.unclaimed.token,
      comment: world.comment,
      notification: world.notification,
      session: world.session,
      passkey: world.passkey,
      case: world.case,
      decision: world.decision,
      owner: owner.id,
      alias: owner.alias,
      other: world.other.id,
      // Not the owner's, whose link each request for a new one ends.
      albumToken: await createMemberLink(db, world.other, ALBUM_LINK),
      photo: dog.photo_url,
      round: beginRound(dataDir),
      metrics: METRICS_KEY,
      device: `${device}-${dog.id}`,
      ...deviceKeys(),
    },
    cookies: world.cookies,
    jpeg,
  }
}

let round: Round | undefined

/** A round whose first question has the sticker `1`: the same in each community, since nothing of it is stored. */
function beginRound(dataDir: string): string {
  while (!round || drawQuestions(dataDir, round)[0]!.asks !== 'breed')
    round = { level: 'normal', seed: createSeed(), answers: [] }
  return writeRound(dataDir, round)
}

/** Mails that were sent: a code, a link, and those of new addresses. */
async function mailTokens(db: Db, ownerId: string): Promise<Record<string, string>> {
  const mailed = `correo-${randomBytes(6).toString('hex')}@ejemplo.es`
  const { code } = await issueToken(db, mailed)
  const { token } = await issueToken(db, `enlace-${mailed}`)
  const { email } = await db.selectFrom('users').select('email').where('id', '=', ownerId).executeTakeFirstOrThrow()
  const confirm = await issueToken(db, email!, Date.now(), { purpose: 'confirm' })
  return {
    mailed,
    code,
    confirmCode: confirm.code,
    linkToken: token,
    ...(await changeAddresses(db, ownerId)),
  }
}

/** Secrets that need no slow hash: a recovery code, and the ends of mails. */
async function issueTokens(db: Db, ownerId: string): Promise<Record<string, string>> {
  const [recoveryCode] = await createRecoveryCodes(db, { id: ownerId, authenticatedAt: Date.now() })
  await setDigestEnabled(db, ownerId, true)
  return {
    recoveryCode: recoveryCode!,
    undoToken: await addDisputable(db),
    disownToken: await addDisputable(db),
    digestToken: await issueSecret(db, 'digest-mails', { user_id: ownerId }, Date.now()),
  }
}

/** The secret of a mailed link that puts an account in dispute, one of its own. */
async function addDisputable(db: Db): Promise<string> {
  const id = randomUUID()
  await db.insertInto('users').values({ id, email: null, created_at: Date.now() }).execute()
  return addAlertRow(db, id, { sessionId: randomUUID() })
}

/** A new address that waits for its code. */
async function changeAddresses(db: Db, ownerId: string): Promise<Record<string, string>> {
  const now = Date.now()
  const next = `otro-${randomBytes(6).toString('hex')}@ejemplo.es`
  const { code } = await issueToken(db, next, now, { purpose: 'address' })
  const change = { id: randomUUID(), user_id: ownerId, email: next, created_at: now }
  await db.insertInto('email_changes').values(change).execute()
  return { addressCode: code }
}

/** An account that waits for its deletion, the secret of its link, and a session of it. */
async function addLeavingAccount(db: Db): Promise<Record<string, string>> {
  const now = Date.now()
  const id = randomUUID()
  await db
    .insertInto('users')
    .values({ id, email: `adios-${id.slice(0, 8)}@ejemplo.es`, created_at: now })
    .execute()
  await addDeletionRow(db, id)
  const deletionToken = await issueSecret(db, 'undo-deletion', { user_id: id }, now)
  return { deletionToken, leavingSession: (await createSession(db, id)).token }
}

/** Of each list a page after its first, as if it had ended with the dog. */
function cursorsAfter({ id, created_at }: { id: string; created_at: number }): Record<string, string> {
  const at = (order: string, value: number, last = id) => encodeCursor({ order, value, id: last })
  return {
    votesCursor: at('votes-desc', 5),
    recentCursor: at('recent', created_at + 1),
    likersCursor: at('likers', created_at + 60_000),
    commentsCursor: at('comments', created_at + 60_000),
    sightingsCursor: at('sightings', created_at + 60_000),
    claimsCursor: at('found-claims', 1),
    threadsCursor: at('threads', created_at + 60_000),
    opinionsCursor: at('opinions', created_at + 60_000),
    memberCursor: at('member', created_at + 1),
    likedCursor: at('liked', created_at + 60_000),
    mapCursor: at('map', created_at + 1),
    rankingCursor: at('ranking', 1000, `1000 ${id}`),
    casesCursor: at('cases-nuevas', Date.now() + 60_000),
    securityCursor: at('security-log', Date.now() + 60_000),
    adminCursor: at('admin-log-all', Date.now() + 60_000),
  }
}

/** What a browser makes when it asks for notices: a point on P-256 and 16 bytes. */
function deviceKeys(): Record<string, string> {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  return { deviceKey: pair.getPublicKey('base64url'), deviceSecret: randomBytes(16).toString('base64url') }
}
