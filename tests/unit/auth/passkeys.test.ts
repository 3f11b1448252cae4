import {
  beginAuthentication,
  confirmByPasskey,
  signInByPasskey,
} from '#features/auth/passkeys/authentication.server.ts'
import { listPasskeys, removePasskey, renamePasskey } from '#features/auth/passkeys/passkeys.server.ts'
import { beginRegistration, finishRegistration } from '#features/auth/passkeys/registration.server.ts'
import type { RelyingParty } from '#features/auth/passkeys/relying-party.ts'
import { deleteExpiredRows } from '#features/account/personal-data/expired-rows.server.ts'
import { createSession } from '#features/auth/sessions/sessions.server.ts'
import type { Json } from '#tests/support/api.ts'
import { type AnswerOptions, SoftwarePasskey } from '#tests/support/auth/software-authenticator.ts'
import { readAllRows } from '#tests/support/rows.ts'
import { type CurrentUser, member, withRecentSignIn } from '#tests/support/seed.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import { assert, type Db, dbSuite, pluck, refusalOf } from '#tests/support/suites.ts'

const SITE: RelyingParty = { id: 'localhost', origin: 'http://localhost:4321' }
const USABLE = { usable: { providers: [], rpId: SITE.id }, sessionId: 'x' }
const MINUTE = 60_000

const STALE = 'Esta petición ha caducado o ya se ha usado. Inténtalo otra vez.'
const WRONG_SITE = 'Esta llave no es de este sitio.'
const UNKNOWN = 'Esta llave ya no abre ninguna cuenta. Entra de otra forma y bórrala de tu dispositivo.'
const REFUSED = 'No hemos podido comprobar la llave. Inténtalo otra vez.'
const COPIED =
  'Puede que alguien haya copiado esta llave, así que no la aceptamos. Entra de otra forma y quítala de tu cuenta.'

const passkeys = dbSuite('unit/auth/passkeys', { ana: member({ alias: 'Ana' }), eva: member({ alias: 'Eva' }) })

async function addPasskey(db: Db, user: CurrentUser | null, change?: AnswerOptions, key = new SoftwarePasskey()) {
  const owner = user && withRecentSignIn(user)
  const options = await beginRegistration(db, SITE, owner)
  return { key, options, ...(await finishRegistration(db, SITE, owner, key.create(options, change))) }
}

const signIn = async (db: Db, key: SoftwarePasskey, change?: AnswerOptions, rp = SITE) =>
  signInByPasskey(db, rp, key.get(await beginAuthentication(db, rp, null), change))

const confirm = async (db: Db, user: CurrentUser, key: SoftwarePasskey, change?: AnswerOptions) =>
  confirmByPasskey(db, SITE, user.id, key.get(await beginAuthentication(db, SITE, user.id), change))

/** All rows but the challenges, which every answer uses up. */
async function readState(db: Db) {
  const { secrets, ...rows } = await readAllRows(db)
  return { ...rows, secrets: secrets!.filter(({ kind }) => !String(kind).startsWith('passkey-')) }
}

/** Asserts that `action` is refused so, and that nothing but the challenge has changed. */
async function assertRefused(db: Db, action: () => Promise<unknown>, expected: string) {
  const before = await readState(db)
  assert.is(await refusalOf(action()), expected)
  assert.equal(await readState(db), before)
}

passkeys('a member adds a passkey and signs in with it alone', async ({ db, ana }) => {
  const { key, passkey, options } = await addPasskey(db, ana)
  assert.is(passkey.name, 'Llave 1')
  const { authenticatorSelection, attestation, user, rp } = options as Json
  assert.equal(authenticatorSelection, {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'preferred',
  })
  assert.equal([attestation, rp.id, user.name, user.displayName], ['none', 'localhost', ana.email, 'Ana'])
  assert.is(Buffer.from(user.id, 'base64url').length, 64)
  const { account, isVerified } = await signIn(db, key)
  assert.equal([account, isVerified], [{ id: ana.id, email: ana.email }, true])
  const [stored] = await listPasskeys(db, ana.id)
  assert.ok(Date.now() - stored!.used_at! < MINUTE)
})

passkeys('the user handle is random, and one for all passkeys of an account', async ({ db, ana, eva }) => {
  const handles = []
  for (const user of [ana, ana, eva]) handles.push((await addPasskey(db, user)).key.userHandle)
  assert.is(handles[0], handles[1])
  assert.is.not(handles[0], handles[2])
  assert.equal(pluck(await listPasskeys(db, ana.id), 'name'), ['Llave 1', 'Llave 2'])
})

passkeys('a visitor opens an account without address', async ({ db }) => {
  const { key, account } = await addPasskey(db, null)
  assert.is(account.email, null)
  assert.is((await signIn(db, key)).account.id, account.id)
})

passkeys('who begins as a visitor does not finish as a member, nor the other way round', async ({ db, ana, eva }) => {
  const key = new SoftwarePasskey()
  const [recentAna, recentEva] = [withRecentSignIn(ana), withRecentSignIn(eva)]
  const finish = (owner: typeof recentAna | null, options: object) => () =>
    finishRegistration(db, SITE, owner, key.create(options))
  await assertRefused(db, finish(recentAna, await beginRegistration(db, SITE, null)), `422 ${STALE}`)
  await assertRefused(db, finish(null, await beginRegistration(db, SITE, recentAna)), `422 ${STALE}`)
  await assertRefused(db, finish(recentEva, await beginRegistration(db, SITE, recentAna)), `422 ${STALE}`)
})

passkeys('adding and removing require recent authentication', async ({ db, ana }) => {
  const { passkey } = await addPasskey(db, ana)
  const stale = { ...ana, authenticatedAt: Date.now() - 16 * MINUTE }
  const text = '403 Para tu seguridad, confirma con un código que te enviamos por correo.'
  const options = await beginRegistration(db, SITE, withRecentSignIn(ana))
  const answer = new SoftwarePasskey().create(options)
  await assertRefused(db, () => beginRegistration(db, SITE, stale), text)
  await assertRefused(db, () => finishRegistration(db, SITE, stale, answer), text)
  await assertRefused(db, () => removePasskey(db, stale, passkey.id, USABLE), text)
})

passkeys('a challenge is answered once, within five minutes, and for its purpose', async ({ db, ana }) => {
  const { key } = await addPasskey(db, ana)
  const answer = key.get(await beginAuthentication(db, SITE, null))
  await signInByPasskey(db, SITE, answer)
  await assertRefused(db, () => signInByPasskey(db, SITE, answer), `422 ${STALE}`)
  const old = key.get(await beginAuthentication(db, SITE, null, Date.now() - 5 * MINUTE))
  await assertRefused(db, () => signInByPasskey(db, SITE, old), `422 ${STALE}`)
  const confirmation = key.get(await beginAuthentication(db, SITE, ana.id))
  await assertRefused(db, () => signInByPasskey(db, SITE, confirmation), `422 ${STALE}`)
  const entering = key.get(await beginAuthentication(db, SITE, null))
  await assertRefused(db, () => confirmByPasskey(db, SITE, ana.id, entering), `422 ${STALE}`)
  await assertRefused(db, () => signIn(db, key, { challenge: 'b3Rybw' }), `422 ${STALE}`)
})

passkeys('a refused answer uses its challenge up', async ({ db, ana }) => {
  const { key } = await addPasskey(db, ana)
  const options = await beginAuthentication(db, SITE, null)
  assert.is(
    await refusalOf(signInByPasskey(db, SITE, key.get(options, { origin: 'https://otro.example' }))),
    `422 ${WRONG_SITE}`,
  )
  assert.is(await refusalOf(signInByPasskey(db, SITE, key.get(options))), `422 ${STALE}`)
})

passkeys('another origin or RP ID is refused, at registration and at sign-in', async ({ db, ana }) => {
  const { key } = await addPasskey(db, ana)
  for (const change of [{ origin: 'https://otro.example' }, { rpId: 'otro.example' }]) {
    await assertRefused(db, () => signIn(db, key, change), `422 ${WRONG_SITE}`)
    await assertRefused(db, () => addPasskey(db, ana, change), `422 ${WRONG_SITE}`)
    await assertRefused(db, () => addPasskey(db, null, change), `422 ${WRONG_SITE}`)
  }
})

passkeys('a changed answer is refused', async ({ db, ana, eva }) => {
  const { key } = await addPasskey(db, ana)
  const other = (await addPasskey(db, eva)).key
  const forged = async () => {
    const options = await beginAuthentication(db, SITE, null)
    const { signature } = other.get(options).response
    const answer = key.get(options)
    return signInByPasskey(db, SITE, { ...answer, response: { ...answer.response, signature } })
  }
  await assertRefused(db, forged, `422 ${REFUSED}`)
  await assertRefused(db, () => signIn(db, key, { userHandle: other.userHandle }), `422 ${REFUSED}`)
  await assertRefused(
    db,
    () =>
      signInByPasskey(db, SITE, {
        ...key.get({ challenge: '', rpId: '' }),
        response: { ...key.get({ challenge: '', rpId: '' }).response, clientDataJSON: 'bm8' },
      }),
    `422 ${STALE}`,
  )
})

passkeys('a counter that does not go up is refused, unless the authenticator counts nothing', async ({ db, ana }) => {
  const { key } = await addPasskey(db, ana)
  await signIn(db, key, { counter: 7 })
  for (const counter of [7, 3, 0]) await assertRefused(db, () => signIn(db, key, { counter }), `422 ${COPIED}`)
  await signIn(db, key, { counter: 8 })
  const still = (await addPasskey(db, ana)).key
  for (let i = 0; i < 2; i++) await signIn(db, still, { counter: 0 })
})

passkeys('a passkey that was removed opens nothing', async ({ db, ana }) => {
  const { key, passkey } = await addPasskey(db, ana)
  await removePasskey(db, withRecentSignIn(ana), passkey.id, USABLE)
  await assertRefused(db, () => signIn(db, key), `422 ${UNKNOWN}`)
  assert.is(
    await refusalOf(removePasskey(db, withRecentSignIn(ana), passkey.id, USABLE)),
    '404 Esta llave ya no está en tu cuenta.',
  )
})

passkeys(
  'a passkey confirms its own account only, and only where it has checked who uses it',
  async ({ db, ana, eva }) => {
    const [anas, evas] = [(await addPasskey(db, ana)).key, (await addPasskey(db, eva)).key]
    await confirm(db, ana, anas)
    await assertRefused(db, () => confirm(db, ana, evas), '422 Esa llave es de otra cuenta. Usa una de las tuyas.')
    await assertRefused(
      db,
      () => confirm(db, ana, anas, { isVerified: false }),
      '422 Tu llave no ha comprobado que eres tú. Usa la huella, la cara o el PIN.',
    )
    assert.is((await signIn(db, anas, { isVerified: false })).isVerified, false)
  },
)

passkeys('a member without passkeys cannot be asked for one', async ({ db, ana }) => {
  assert.is(await refusalOf(beginAuthentication(db, SITE, ana.id)), '409 Tu cuenta no tiene llaves de acceso.')
})

passkeys('one authenticator is stored once', async ({ db, ana, eva }) => {
  const { key } = await addPasskey(db, ana)
  const again = () => addPasskey(db, eva, {}, key)
  await assertRefused(db, again, '409 Este dispositivo ya tiene una llave de tu cuenta.')
  const { excludeCredentials } = (await beginRegistration(db, SITE, withRecentSignIn(ana))) as Json
  assert.equal(
    excludeCredentials.map(({ id }: { id: string }) => id),
    [key.id],
  )
})

passkeys('two tabs each have a challenge of their own', async ({ db, ana }) => {
  const [first, second] = [new SoftwarePasskey(), new SoftwarePasskey()]
  const owner = withRecentSignIn(ana)
  const options = [await beginRegistration(db, SITE, owner), await beginRegistration(db, SITE, owner)]
  await finishRegistration(db, SITE, owner, second.create(options[1]!))
  await finishRegistration(db, SITE, owner, first.create(options[0]!))
  assert.is((await listPasskeys(db, ana.id)).length, 2)
})

passkeys('an account has at most twenty passkeys', async ({ db, ana }) => {
  for (let i = 0; i < 19; i++) await addPasskey(db, ana)
  const owner = withRecentSignIn(ana)
  const options = await beginRegistration(db, SITE, owner)
  await addPasskey(db, ana)
  const text = '409 Ya tienes 20 llaves. Quita una para añadir otra.'
  assert.is(await refusalOf(finishRegistration(db, SITE, owner, new SoftwarePasskey().create(options))), text)
  assert.is(await refusalOf(beginRegistration(db, SITE, owner)), text)
})

passkeys('the last way in cannot be removed; recovery codes are none', async ({ db }) => {
  const { passkey, account } = await addPasskey(db, null)
  const owner = withRecentSignIn({ ...account, alias: 'Perrit1', emoji: '🐶', verified: false })
  const remove = (id: string) => removePasskey(db, owner, id, USABLE)
  const text = '409 Es tu única forma de entrar. Añade antes un email u otra llave.'
  await assertRefused(db, () => remove(passkey.id), text)
  const { passkey: second } = await addPasskey(db, owner)
  await remove(passkey.id)
  await assertRefused(db, () => remove(second.id), text)
})

passkeys('removing a passkey ends the other sessions', async ({ db, ana }) => {
  const { passkey } = await addPasskey(db, ana)
  await createSession(db, ana.id)
  const [own] = await db.selectFrom('sessions').select('id').execute()
  await createSession(db, ana.id)
  await removePasskey(db, withRecentSignIn(ana), passkey.id, { ...USABLE, sessionId: own!.id })
  assert.equal(await db.selectFrom('sessions').select('id').execute(), [own])
})

passkeys('only its member renames or removes a passkey', async ({ db, ana, eva }) => {
  const { passkey } = await addPasskey(db, ana)
  assert.is((await renamePasskey(db, ana, passkey.id, 'Móvil')).name, 'Móvil')
  const text = '403 Solo puedes cambiar tus propias llaves.'
  await assertRefused(db, () => renamePasskey(db, eva, passkey.id, 'Mía'), text)
  await assertRefused(db, () => removePasskey(db, withRecentSignIn(eva), passkey.id, USABLE), text)
  await assertRefused(db, () => renamePasskey(db, ana, UNKNOWN_ID, 'Mía'), '404 Esta llave ya no está en tu cuenta.')
})

passkeys('an account whose deletion has begun gets no passkey', async ({ db, ana }) => {
  const owner = withRecentSignIn(ana)
  const options = await beginRegistration(db, SITE, owner)
  await db.insertInto('account_erasures').values({ user_id: ana.id, dogs: 'keep', created_at: 1 }).execute()
  const finish = () => finishRegistration(db, SITE, owner, new SoftwarePasskey().create(options))
  await assertRefused(db, finish, '401 Tu sesión ha terminado. Inicia sesión para continuar.')
})

passkeys('challenges that nobody answered are deleted', async ({ db }) => {
  const now = Date.now()
  await beginAuthentication(db, SITE, null, now)
  assert.is(await deleteExpiredRows(db, now + 4 * MINUTE, ['secrets']), 0)
  assert.is(await deleteExpiredRows(db, now + 5 * MINUTE, ['secrets']), 1)
})
