import { transact } from '#db/transact.ts'
import { runDueDeletions } from '#features/account/deletion/due-deletions.server.ts'
import { requestDeletion } from '#features/account/deletion/request-deletion.server.ts'
import { restoreByLink } from '#features/account/deletion/restore-account.server.ts'
import { deleteAccount, eraseLeavingAccount } from '#features/account/erase.server.ts'
import { disputeByLink, putInDispute, readStanding } from '#features/auth/dispute/dispute.server.ts'
import { confirmEmailChange, requestEmailChange } from '#features/auth/email-change/email-change.server.ts'
import { type AlertMailer, sendAlertsOf } from '#features/auth/new-device/sign-in-alerts.server.ts'
import { linkProvider, signInByProvider, unlinkProvider } from '#features/auth/oauth/linked-accounts.server.ts'
import { removePasskey } from '#features/auth/passkeys/passkeys.server.ts'
import { createRecoveryCodes } from '#features/auth/recovery-codes/recovery-codes.server.ts'
import { beginSession } from '#features/auth/sessions/begin-session.server.ts'
import { ensureProfile } from '#features/profiles/profiles.server.ts'
import { addPasskeyRow } from '#tests/support/auth/passkey-row.ts'
import { freshDb, toCopies } from '#tests/support/db.ts'
import { insert, readAllRows, update } from '#tests/support/rows.ts'
import { sample } from '#tests/support/sample.ts'
import { assert, type CurrentUser, type Db, member, pluck, refusal, seed, suite } from '#tests/support/suites.ts'

// Somebody in a member's session makes themselves ways in, in any order. After any link that was mailed, theirs among them, nothing of it
// opens the account, and what the member had before does.

const HOUR = 3_600_000
const DAY = 24 * HOUR
const OWN = 'ana@ejemplo.es'
const THIEF = 'ladron@ejemplo.es'

interface MailedLink {
  to: string
  kind: 'disown' | 'undo' | 'restore'
  token: string
}
interface World {
  db: Db
  ana: CurrentUser
  now: number
  links: MailedLink[]
}

/** Ana has been a member for a month, with passkey and provider; somebody else is in a session of hers, and has asked for another address. */
async function createWorld(): Promise<{ openCopy: () => Db; ana: CurrentUser; code: string; now: number }> {
  const db = freshDb()
  const [ana] = await seed(db, member({ alias: 'Ana', email: OWN }))
  const now = Date.now() - DAY
  const old = { created_at: now - 20 * DAY }
  await update(db, 'users', {}, { created_at: now - 30 * DAY })
  await addPasskeyRow(db, ana.id, { name: 'suya', ...old })
  await insert(db, 'oauth_accounts', { provider: 'google', provider_user_id: 'suya', user_id: ana.id, ...old })
  await beginSession(db, ana, { secret: 'suyo', name: 'Suyo' }, { method: 'link' })
  await db.deleteFrom('sign_in_alerts').execute()
  const mail = await requestEmailChange(db, { ...ana, authenticatedAt: now }, THIEF, now)
  if (mail?.kind !== 'code') throw new Error('no code')
  return { openCopy: await toCopies(db), ana, code: mail.code, now }
}
const original = await createWorld()
const open = (): World => ({ db: original.openCopy(), ana: original.ana, now: original.now, links: [] })

const prove = ({ ana, now }: World) => ({ ...ana, authenticatedAt: now })

/** Sends what is due. */
async function sendMails({ db, ana, links }: World, now: number) {
  const send: AlertMailer['send'] = async ({ to, text }) => {
    const { pathname, searchParams } = new URL(/^https:\S+$/m.exec(text)![0])
    links.push({ to, kind: pathname === '/deshacer' ? 'undo' : 'disown', token: searchParams.get('token')! })
  }
  await sendAlertsOf(db, ana.id, { siteBase: 'https://perros.example', send, isRefused: () => false }, now)
}

const DEEDS: Record<string, (world: World) => Promise<unknown>> = {
  codes: (world) => createRecoveryCodes(world.db, prove(world), world.now),
  passkey: ({ db, ana, now }) => addPasskeyRow(db, ana.id, { name: 'ajena', created_at: now }),
  provider: (world) => linkProvider(world.db, 'github', 'ajena', prove(world), world.now),
  address: (world) => confirmEmailChange(world.db, prove(world), original.code, world.now),
  removal: async ({ db, ana, now }) => {
    const member = { ...ana, authenticatedAt: now }
    const usable = { providers: ['google', 'github'], rpId: null } as const
    const [own] = await db.selectFrom('passkeys').select('id').where('name', '=', 'suya').execute()
    await removePasskey(db, member, own!.id, { usable, sessionId: '' }, now)
    await unlinkProvider(db, member, 'google', { usable, sessionId: '' }, now)
  },
  'second sign-in': ({ db, ana }) => beginSession(db, ana, { secret: 'ajeno', name: 'Ajeno' }, { method: 'code' }),
  deletion: ({ db, ana, now, links }) =>
    requestDeletion(
      db,
      { ...ana, authenticatedAt: Date.now() },
      CHOICE,
      async ({ addresses, token }) =>
        void links.push(...addresses.map((to) => ({ to, kind: 'restore' as const, token }))),
      now,
    ),
}
type Deed = keyof typeof DEEDS

const permute = <T>(items: readonly T[]): T[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item) => permute(items.filter((other) => other !== item)).map((rest) => [item, ...rest]))

/** Does the deeds, an hour after each other; the requests of a session that a deletion has ended are refused. */
async function doAll(deeds: readonly Deed[]): Promise<World> {
  const world = open()
  for (const deed of deeds) {
    // The code was asked for within the quarter of an hour that it is good for.
    if (deed !== 'address') world.now += 1000
    await DEEDS[deed]!(world).catch((error) => {
      if (error.status !== 401) throw error
    })
    await sendMails(world, world.now)
  }
  await sendMails(world, Date.now() + HOUR)
  return world
}

async function press(db: Db, { kind, token }: MailedLink, now: number) {
  if (kind === 'restore') await restoreByLink(db, token, now)
  else await disputeByLink(db, kind, token, now)
  await runDueDeletions(db, '/nowhere', { now })
}

/** What can open Ana's account, or be made to. */
async function readWays(db: Db) {
  const { users, passkeys, oauth_accounts: providers, ...rows } = await readAllRows(db)
  return {
    users: pluck(users!, 'email'),
    passkeys: pluck(passkeys!, 'name'),
    providers: pluck(providers!, 'provider_user_id'),
    aliases: pluck(await db.selectFrom('profiles').select('alias').execute(), 'alias'),
    others: OTHER_WAYS.flatMap((table) => rows[table]!),
  }
}
const OTHER_WAYS = 'sessions secrets email_changes sign_in_tokens account_deletions account_devices'.split(' ')
const AS_BEFORE = { users: [OWN], passkeys: ['suya'], providers: ['suya'], others: [], aliases: ['Ana'] }

const CHOICE = { dogs: 'keep', alias: 'Ana' } as const

/** Every link is used, and for seven days the address stays and so does the account. */
async function assertOver(db: Db, links: readonly MailedLink[], now: number) {
  for (const link of links) assert.match((await refusal(press(db, link, now))).join(' '), /^40[49] /, link.kind)
  const proof = { ...original.ana, authenticatedAt: now }
  for (const action of [
    () => requestEmailChange(db, proof, THIEF, now),
    () => requestDeletion(db, proof, CHOICE, async () => {}, now),
    () => deleteAccount(db, '/nowhere', proof, CHOICE),
  ])
    assert.match((await refusal(action())).join(' '), /^409 Alguien ha dicho que no fue quien usó esta cuenta\./)
}

const dispute = suite('unit/auth/dispute')

const ORDERS = permute(Object.keys(DEEDS))
for (const first of Object.keys(DEEDS))
  dispute(`whatever a stranger did, ${first} first, any mailed link leaves what was there before`, async () => {
    for (const order of sample(
      ORDERS.filter(([deed]) => deed === first),
      6,
    )) {
      const { db, links } = await doAll(order)
      const openCopy = await toCopies(db)
      // Of each kind to each address the last: of those that one mail follows another by, all are alike.
      const kinds = new Map(links.map((link) => [`${link.kind} of ${link.to}`, link]))
      assert.ok(kinds.has(`disown of ${OWN}`), 'the member is told')
      for (const [i, [kind, link]] of [...kinds].entries()) {
        const said = `${order.join(', ')}: ${kind}`
        await using copy = openCopy()
        const now = Date.now() + HOUR
        await press(copy, link, now)
        assert.equal(await readWays(copy), AS_BEFORE, said)
        if (i === 0) await assertOver(copy, [...kinds.values()], now)
      }
    }
  })

for (const deed of ['codes', 'provider', 'address'])
  dispute(`${deed}: all addresses are told, and for seven days the account is not deleted at once`, async () => {
    const world = open()
    const told = async () => {
      await sendMails(world, world.now)
      const addresses = world.links.splice(0).map(({ to }) => to)
      return addresses.toSorted()
    }
    await DEEDS[deed]!(world)
    assert.equal(await told(), deed === 'address' ? [OWN, THIEF] : [OWN])
    const erase = () => deleteAccount(world.db, '/nowhere', prove({ ...world, now: Date.now() }), CHOICE)
    const young = /^409 Hace menos de 7 días que cambió el email de esta cuenta o se añadió una forma de entrar\./
    assert.match((await refusal(erase())).join(' '), young)
    const until = async (now: number) => (await readStanding(world.db, world.ana.id, now)).addedUntil
    assert.equal([await until(world.now + 7 * DAY - 1), await until(world.now + 7 * DAY)], [world.now + 7 * DAY, null])
    if (deed === 'address') {
      await DEEDS.codes!(world)
      assert.equal(await told(), [OWN, THIEF], 'the former address too')
    }
    await DEEDS.deletion!(world)
    const leaving = { id: world.ana.id, authenticatedAt: Date.now() }
    assert.match((await refusal(eraseLeavingAccount(world.db, '/nowhere', leaving))).join(' '), young)
  })

dispute('signing in, and what a new account was opened with, keep nobody from deleting at once', async () => {
  const { db, ana, now } = open()
  await DEEDS['second sign-in']!({ db, ana, now, links: [] })
  const github = await signInByProvider(db, 'github', { id: '7', hostedEmail: null, claimedEmail: null }, Date.now())
  for (const { id } of [ana, github]) {
    const alias = id === ana.id ? 'Ana' : (await ensureProfile(db, id)).alias
    await deleteAccount(db, '/nowhere', { id, authenticatedAt: Date.now() }, { ...CHOICE, alias })
  }
  const { users, sign_in_alerts } = await readAllRows(db)
  assert.equal([users, sign_in_alerts], [[], []])
})

/** The account without an address gets one, and then another. */
async function addAddresses(world: World, emails: string[]) {
  await world.db.updateTable('users').set({ email: null }).where('id', '=', world.ana.id).execute()
  await world.db.deleteFrom('email_changes').execute()
  for (const email of emails) {
    const user = await world.db.selectFrom('users').select('email').where('id', '=', world.ana.id).executeTakeFirst()
    const holder = { ...prove(world), email: user!.email }
    const mail = await requestEmailChange(world.db, holder, email, world.now++)
    if (mail?.kind !== 'code') throw new Error('no code')
    await confirmEmailChange(world.db, holder, mail.code, world.now++)
  }
}
const disputed = async ({ db, ana, now }: World) => {
  await transact(db, (trx) => putInDispute(trx, ana.id, now + 1000))
  return readWays(db)
}

dispute('addresses that were added where there was none go with those that took their place', async () => {
  const world = open()
  await addAddresses(world, [THIEF, 'otro@ejemplo.es'])
  assert.equal(await disputed(world), { ...AS_BEFORE, users: [null] })
})

dispute('nobody is locked out: where no address and nothing older is left, sessions alone end', async () => {
  const world = open()
  await addAddresses(world, [THIEF])
  await world.db.updateTable('passkeys').set({ created_at: world.now }).execute()
  await world.db.deleteFrom('oauth_accounts').execute()
  await DEEDS.codes!(world)
  const { users, passkeys, others } = await disputed(world)
  assert.equal([users, passkeys, others.length > 10], [[THIEF], ['suya'], true])
  assert.equal((await readAllRows(world.db)).sessions, [])
  const { disputedUntil, addedUntil } = await readStanding(world.db, world.ana.id)
  assert.equal([disputedUntil, addedUntil], [null, world.now + 7 * DAY])
})

dispute('what was added and removed again keeps the account from being deleted at once as well', async () => {
  const world = open()
  await DEEDS.provider!(world)
  const usable = { providers: ['google', 'github'], rpId: null } as const
  await unlinkProvider(world.db, prove(world), 'github', { usable, sessionId: '' }, world.now)
  const deletion = deleteAccount(world.db, '/nowhere', { ...world.ana, authenticatedAt: Date.now() }, CHOICE)
  assert.is((await refusal(deletion))[0], 409)
})

dispute('a proof from before adds nothing, one from after does', async () => {
  const world = open()
  await disputed(world)
  for (const deed of ['codes', 'provider'])
    assert.is((await refusal(DEEDS[deed]!(world) as Promise<unknown>))[0], 401, deed)
  world.now += 2000
  await DEEDS.codes!(world)
  await DEEDS.provider!(world)
  assert.equal((await readWays(world.db)).providers.toSorted(), ['ajena', 'suya'])
})
