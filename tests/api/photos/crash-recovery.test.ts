import { globSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { runChecks } from '#features/maintenance/doctor/doctor.server.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { accountDeletionBody } from '#tests/support/seed.ts'
import { startServer } from '#tests/support/server.ts'
import { assert, call, countJobs, formOf, signInMember, suite, type TestMember } from '#tests/support/suites.ts'

// The process ends between the commit of an action and the work on its files, or between that work and the commit. Started
// again, the site answers no address of what went, and no file of it is left where it does not belong.

const ADMIN = 'admin@ejemplo.es'
const flag = join(tmpdir(), `perrario-die-at-${process.pid}`)
const server = await startServer({
  ADMIN_EMAIL: ADMIN,
  DIE_AT: flag,
  NODE_OPTIONS: `--import=${resolve(import.meta.dirname, '../../support/faults/crash-at.ts')}`,
})
const [ana, eva, admin] = [
  await signInMember(server, 'ana@ejemplo.es'),
  await signInMember(server, 'eva@ejemplo.es'),
  await signInMember(server, ADMIN),
] as [TestMember, TestMember, TestMember]

const crash = suite('api/photos/crash-recovery')
crash.after(async () => {
  rmSync(flag, { force: true })
  await server.dispose()
})

interface Added {
  id: string
  images: { url: string }[]
}

async function add(cookie: string, fields: Record<string, string> = {}): Promise<Added> {
  const images = [new Blob([await photo(30, 400, 300)]), new Blob([await photo(200, 400, 300)])]
  const form = formOf({ name: 'Toby', breed: 'Beagle', relationship: 'owner', ...fields, images })
  const { status, body } = await call(server, '/api/dogs', { method: 'POST', cookie, form })
  assert.is(status, 201, JSON.stringify(body))
  return body.dog
}

async function decide(kind: string, id: string, deed: string) {
  const find = () =>
    server.db.selectFrom('cases').select(['id', 'edited_at as version']).where('thing_id', '=', id).executeTakeFirst()
  if (!(await find())) {
    const json = { kind, id, reason: 'spam', words: '' }
    assert.ok((await call(server, '/api/reports', { method: 'POST', cookie: eva.cookie, json })).status < 300)
  }
  const { id: caseId, version } = (await find())!
  const json = { deed, reason: 'Motivo', days: null, version }
  const path = `/api/admin/cases/${caseId}`
  const { status, body } = await call(server, path, { method: 'POST', cookie: admin.cookie, json })
  assert.ok(status < 300, JSON.stringify(body))
}

const put = async ({ id, images }: Added) => {
  const form = formOf({ images: [images[1]!.url] })
  return call(server, `/api/dogs/${id}/images`, { method: 'PUT', cookie: ana.cookie, form })
}

interface CrashScenario {
  /** At which operation the process ends. */
  at: 'rm'
  before?: (dog: Added) => Promise<unknown>
  action: (dog: Added) => Promise<unknown>
  /** How many of its photos are in public afterwards. */
  open: number
  /** Added by a member of their own. */
  own?: true
}

let deletedMember: TestMember | undefined
const CRASH_SCENARIOS: Record<string, CrashScenario> = {
  'its owner deletes the dog': {
    at: 'rm',
    action: ({ id }) => call(server, `/api/dogs/${id}`, { method: 'DELETE', cookie: ana.cookie }),
    open: 0,
  },
  'the admin deletes the dog': { at: 'rm', action: ({ id }) => decide('dog', id, 'delete'), open: 0 },
  'the admin deletes a hidden dog': {
    at: 'rm',
    before: ({ id }) => decide('dog', id, 'hide'),
    action: ({ id }) => decide('dog', id, 'delete'),
    open: 0,
  },
  'the admin deletes a photo': {
    at: 'rm',
    action: ({ images }) => decide('photo', images[0]!.url, 'delete'),
    open: 1,
  },
  'a photo leaves the gallery': { at: 'rm', action: put, open: 1 },
  'the account goes with its dogs': {
    at: 'rm',
    action: async () => {
      const { cookie } = deletedMember!
      return call(server, '/api/account', { method: 'DELETE', cookie, json: await accountDeletionBody(server, cookie) })
    },
    open: 0,
    own: true,
  },
}

const filesOf = (id: string) => ({
  open: globSync(`photos/${id}_*`, { cwd: server.dataDir }),
  renders: globSync(`cache/photos/${id}_*`, { cwd: server.dataDir }).map((path) => basename(path)),
})

for (const [name, { at, before, action, open, own }] of Object.entries(CRASH_SCENARIOS))
  crash(`${name}: no deleted photo is served or left on the disk`, async () => {
    if (own) deletedMember = await signInMember(server, `${at}${open}@ejemplo.es`)
    const dog = await add((own ? deletedMember! : ana).cookie)
    for (const { url } of dog.images) assert.is((await fetch(`${server.url}/_ipx/q_90,s_120x120${url}`)).status, 200)
    await before?.(dog)
    writeFileSync(flag, at)
    const outcome = await Promise.resolve(action(dog)).then(
      () => 'answered',
      () => 'cut off',
    )
    rmSync(flag, { force: true })
    assert.is(outcome, 'cut off', 'the process ended in the middle')
    await server.kill()
    assert.is.not(filesOf(dog.id).open.length, open, 'there was work left')
    await server.restart()

    const after = filesOf(dog.id)
    assert.is(after.open.length, open)
    for (const { url } of dog.images) {
      const isOpen = after.open.includes(url.slice(1))
      for (const path of [url, `/_ipx/q_90,s_120x120${url}`])
        assert.is((await fetch(server.url + path)).status, isOpen ? 200 : 404, path)
      assert.is(after.renders.includes(basename(url)), isOpen)
    }
    const named = await server.db.selectFrom('dog_images').select('url').where('dog_id', '=', dog.id).execute()
    assert.equal(named.map(({ url }) => url.slice(1)).toSorted(), after.open.toSorted())
    assert.is(await countJobs(server.db, 'photo-files'), 0)
  })

crash('doctor reports no photo after the recovery', async () => {
  const { dataDir, databaseUrl } = server
  const care = { dataDir, databaseUrl, backupDir: join(dataDir, 'backups'), backups: null }
  const about = /foto|resto/
  assert.equal(
    (await runChecks(care)).filter(({ what, level }) => about.test(what) && level !== 'ok'),
    [],
  )
})
