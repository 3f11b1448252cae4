import { existsSync, globSync, linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Trx as Db } from '#db/client.ts'
import type { TargetKind } from '#db/schema.ts'
import { makeBackup } from '#features/maintenance/backup.server.ts'
import { checkPhotos } from '#features/maintenance/doctor/check-photos.server.ts'
import { repairPhotos } from '#features/maintenance/doctor/repair-photos.server.ts'
import { readRecord, readChecksums, writeRecord } from '#features/maintenance/backup-record.server.ts'
import { restoreBackup } from '#features/maintenance/restore.server.ts'
import { addDog } from '#features/dogs/write/add.server.ts'
import { claimDog } from '#features/dogs/write/claim.server.ts'
import { findDog, getDog } from '#features/dogs/dog.server.ts'
import { dogSchema } from '#features/dogs/write/dog-input.ts'
import { hideQuarantinedPhotos } from '#features/dogs/quarantine.server.ts'
import { quarantinedPhotoUrl } from '#features/photos/photos.ts'
import { applyCaseAction } from '#features/reports/cases/case-actions.server.ts'
import type { DecisionInput } from '#features/reports/decisions/decisions.ts'
import { readQuarantinedPhoto } from '#features/reports/quarantine/quarantined-photos.server.ts'
import { autoHideTarget, submitReport } from '#features/reports/reports.server.ts'
import { holdDog } from '#tests/support/moderation/held-dog.ts'
import { makeEstablishedMembers } from '#tests/support/reports/established-members.ts'
import { deleteMemberAccount } from '#tests/support/account/delete-member-account.ts'
import { type DataDir, makeDataDir } from '#tests/support/maintenance/data-dir.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { refusal } from '#tests/support/refusal.ts'
import { member, seed } from '#tests/support/seed.ts'

const ADMIN = 'admin@ejemplo.es'

interface World {
  data: DataDir
  db: Db
  dir: string
  ana: { id: string }
  luis: { id: string }
  admin: { user: { id: string; email: string | null }; adminEmail: string }
  act: (kind: TargetKind, id: string, deed: DecisionInput['deed']) => Promise<void>
}

const quarantined = suite<World>('unit/moderation/quarantined-photos')
quarantined.before.each(async (t) => {
  t.data = await makeDataDir()
  Object.assign(t, { db: t.data.db, dir: t.data.dir })
  const [user, reporter, ana, luis] = await seed(
    t.db,
    member({ email: ADMIN, alias: 'Admin' }),
    member({ alias: 'Quien avisa' }),
    member({ alias: 'Ana' }),
    member({ alias: 'Luis' }),
  )
  Object.assign(t, { ana, luis, admin: { user, adminEmail: ADMIN } })
  t.act = async (kind, id, deed) => {
    const cases = t.db.selectFrom('cases').select('id').where('kind', '=', kind).where('thing_id', '=', id)
    if (!(await cases.executeTakeFirst()))
      await submitReport(t.db, reporter, { kind, id, reason: 'spam', words: '' }, 'x')
    const { id: caseId } = await cases.executeTakeFirstOrThrow()
    await applyCaseAction(t.db, t.dir, t.admin, caseId, { deed, reason: 'Es publicidad.', days: null })
  }
})
quarantined.after.each(({ data }) => data.dispose())

const input = (fields: object = {}) => dogSchema.parse({ name: 'Toby', breed: 'beagle', ...fields })
const uploads = async () => [await photo(0), await photo(20)]

async function addPublicDog({ db, dir, ana }: World) {
  const { dog } = await addDog(db, dir, { input: input(), uploads: await uploads(), userId: ana.id })
  for (const { url } of dog.images) {
    const render = join(dir, 'cache', url, 'card@1x.avif')
    mkdirSync(dirname(render), { recursive: true })
    writeFileSync(render, 'render')
  }
  return dog
}

/** The files of photos and of their renders, by folder. */
const files = (dir: string) => ({
  open: globSync('photos/*.jpg', { cwd: dir }).sort(),
  held: globSync('photos/held/*.jpg', { cwd: dir }).sort(),
  renders: globSync('cache/photos/**/*.*', { cwd: dir }).filter((path) => !path.endsWith('.jpg')),
})

/** Every way out of sight. @returns the dog's id, and how many photos are still to be seen */
const QUARANTINE_ROUTES: Record<
  string,
  (world: World) => Promise<{ id: string; left?: number; thing?: [TargetKind, string] }>
> = {
  'hidden by the admin': async (world) => {
    const { id } = await addPublicDog(world)
    await world.act('dog', id, 'hide')
    return { id }
  },
  'hidden by reports': async (world) => {
    const { id } = await addPublicDog(world)
    for (const network of ['1', '2', '3', '4', '5']) {
      const [someone] = await seed(world.db, member())
      await makeEstablishedMembers(world.db, [someone.id], id)
      await submitReport(world.db, someone, { kind: 'dog', id, reason: 'spam', words: '' }, network)
    }
    assert.ok(await autoHideTarget(world.db, world.dir, { kind: 'dog', id }, ADMIN))
    return { id }
  },
  'added with doubtful words': async ({ db, dir, ana }) => {
    const of = { input: input({ description: 'Se vende' }), uploads: await uploads(), userId: ana.id }
    return (await addDog(db, dir, of)).dog
  },
  'added without account': async ({ db, dir }) =>
    (await addDog(db, dir, { input: input(), uploads: await uploads(), userId: null, holdAnonymous: true })).dog,
  'held with its edit by a version before': async (world) => {
    const { id } = await addPublicDog(world)
    await holdDog(world.db, world.ana, id, { dataDir: world.dir })
    return { id }
  },
  'a photo hidden alone': async (world) => {
    const { id, images } = await addPublicDog(world)
    await world.act('photo', images[0]!.url, 'hide')
    return { id, left: 1, thing: ['photo', images[0]!.url] }
  },
}

for (const [way, hide] of Object.entries(QUARANTINE_ROUTES)) {
  quarantined(`${way}: leaves no public file and no render, and restoring gives new names`, async (world) => {
    const { db, dir, act } = world
    const { id, left = 0, thing = ['dog', id] } = await hide(world)
    const before = files(dir)
    assert.equal([before.open.length, before.held.length, before.renders.length], [left, 2 - left, left])
    const rows = await db.selectFrom('held').select('snapshot').execute()
    assert.is(rows.length, 1)
    // Held already: from now on by a decision, and nothing comes back by it.
    await act(...thing, 'hide')
    assert.equal(files(dir), before)
    await act(...thing, 'restore')
    const after = files(dir)
    assert.equal([after.open.length, after.held], [2, []])
    const known = [...before.held, ...before.open.slice(left)].map((path) => path.replace('held/', ''))
    for (const path of after.open) assert.not(known.includes(path), 'a new name')
    const dog = await getDog(db, id)
    assert.equal(dog.images.map(({ url }) => url.slice(1)).sort(), after.open)
    assert.ok(after.open.includes(dog.photo_url.slice(1)))
    assert.equal((await checkPhotos(dir, db, { isServed: false })).orphans, [])
  })

  quarantined(
    `${way}: the next start and doctor move public files that a crash left, and the backup has them`,
    async (world) => {
      const { db, dir, data } = world
      const { id } = await hide(world)
      const intended = files(dir)
      const crash = () => {
        for (const path of intended.held) renameSync(join(dir, path), join(dir, path.replace('held/', '')))
      }
      crash()
      const backup = await makeBackup({ dataDir: dir, backupDir: data.backupDir })
      assert.equal(backup.missing, [])
      assert.equal(
        globSync('photos/**/*.jpg', { cwd: backup.path }).sort(),
        [...intended.held, ...intended.open].sort(),
      )
      const found = await checkPhotos(dir, db, { isServed: false })
      assert.equal(found.misplaced.map((name) => `photos/${name}`).sort(), intended.held)
      assert.equal([found.orphans, found.missing], [[], []])
      await repairPhotos(dir, data.backupDir, db, found)
      assert.equal(files(dir), intended)
      crash()
      // Half done: in both places.
      linkSync(join(dir, intended.held[0]!.replace('held/', '')), join(dir, intended.held[0]!))
      await hideQuarantinedPhotos(db, dir)
      assert.equal(files(dir), intended)
      // A backup from before photos were moved has them under their public names.
      const sums = new Map(
        [...(await readChecksums(backup.path))].map(([path, sum]) => {
          const open = path.replace('held/', '')
          if (open !== path) renameSync(join(backup.path, path), join(backup.path, open))
          return [open, sum]
        }),
      )
      await writeRecord(backup.path, sums, await readRecord(backup.path))
      const copy = join(dir, '..', 'copia')
      await restoreBackup({ dataDir: copy, backup: backup.path })
      assert.equal([files(copy).open.length, files(copy).held], [2, []])
      await hideQuarantinedPhotos(db, copy)
      assert.equal([files(copy).open, files(copy).held], [intended.open, intended.held])
      assert.is((await findDog(db, id))?.id, intended.open.length > 0 ? id : undefined)
    },
  )
}

quarantined('a quarantined photo is served to its owners and the admin alone', async (world) => {
  const { db, dir, ana, luis, admin, act } = world
  const { id, images } = await addPublicDog(world)
  const [first, second] = images.map(({ url }) => url.slice('/photos/'.length)) as [string, string]
  const asked = async (user: { id: string } | null, name: string) =>
    (
      await refusal(
        readQuarantinedPhoto(db, dir, { user: user && { email: 'x@ejemplo.es', ...user }, adminEmail: ADMIN }, name),
      ).catch(() => [200])
    )[0]
  assert.is(await asked(ana, first), 404, 'nothing of hers is out of sight')
  await db.updateTable('dogs').set({ discoverer_id: luis.id }).where('id', '=', id).execute()
  await act('photo', `/photos/${first}`, 'hide')
  const [eva] = await seed(db, member())
  for (const who of [ana, luis, admin.user]) assert.is(await asked(who, first), 200)
  for (const who of [eva, null]) assert.is(await asked(who, first), 404)
  for (const who of [ana, admin.user]) assert.is(await asked(who, second), 404, 'that one is in public')
  await act('dog', id, 'hide')
  for (const who of [ana, luis, admin.user]) assert.is(await asked(who, second), 200)
  for (const who of [eva, null]) assert.is(await asked(who, second), 404)
  for (const name of ['', '../perrario.db', `../${first}`, `held/${first}`, first.replace('.jpg', '.png')])
    assert.is(await asked(admin.user, name), 404, name)
  // Whoever is no longer of the dog sees it no longer.
  await deleteMemberAccount(db, dir, luis, 'keep')
  assert.is(await asked(luis, second), 404)
})

quarantined('a member who claims a pending dog sees its photos from then on', async ({ db, dir, ana }) => {
  const { dog, association } = await addDog(db, dir, {
    input: input(),
    uploads: await uploads(),
    userId: null,
    holdAnonymous: true,
  })
  const name = dog.images[0]!.url.split('/').at(-1)!
  assert.is(dog.images[0]!.url, quarantinedPhotoUrl(`/photos/${name}`))
  const asker = { user: { id: ana.id, email: null }, adminEmail: ADMIN }
  assert.is((await refusal(readQuarantinedPhoto(db, dir, asker, name)))[0], 404)
  await claimDog(db, ana.id, dog.id, { ownershipType: 'owner', token: association!.token })
  assert.ok((await readQuarantinedPhoto(db, dir, asker, name)).length > 0)
})

quarantined('an approval of a photo is known under its new name', async (world) => {
  const { db, dir, act } = world
  const { id, images } = await addPublicDog(world)
  const first = images[0]!.url
  await act('photo', first, 'hide')
  await act('photo', first, 'restore')
  const { url } = (await getDog(db, id)).images.at(-1)!
  const cases = await db.selectFrom('cases').select('thing_id').execute()
  assert.equal(cases, [{ thing_id: url }])
  const reports = await db.selectFrom('reports').select('thing_id').execute()
  assert.equal(reports, [{ thing_id: url }])
  assert.not(await autoHideTarget(db, dir, { kind: 'photo', id: url }, ADMIN))
})

quarantined('a case about a photo follows it when its dog is hidden', async (world) => {
  const { db, ana, luis, act } = world
  const { id, images } = await addPublicDog(world)
  await submitReport(db, luis, { kind: 'photo', id: images[1]!.url, reason: 'spam', words: '' }, 'x')
  await act('dog', id, 'hide')
  await act('dog', id, 'restore')
  const { url } = (await getDog(db, id)).images[1]!
  assert.is.not(url, images[1]!.url)
  await act('photo', url, 'hide')
  assert.is((await getDog(db, id)).images.length, 1)
  const cases = await db.selectFrom('cases').select('thing_id').where('kind', '=', 'photo').execute()
  assert.equal(cases, [{ thing_id: url }], 'one case, not two')
  assert.is((await getDog(db, id)).owner_id, ana.id)
})

quarantined('a failed restore leaves the photo quarantined and nothing else', async (world) => {
  const { dir, act } = world
  const { id, images } = await addPublicDog(world)
  await act('photo', images[0]!.url, 'hide')
  await act('dog', id, 'hide')
  const before = files(dir)
  assert.is((await refusal(act('photo', images[0]!.url, 'restore')))[0], 409)
  assert.equal(files(dir), before)
})

quarantined('a lost photo keeps its address, by which doctor restores it from a backup', async (world) => {
  const { db, dir, data, act } = world
  const { id, images } = await addPublicDog(world)
  await act('dog', id, 'hide')
  await makeBackup({ dataDir: dir, backupDir: data.backupDir })
  for (const path of files(dir).held) rmSync(join(dir, path))
  await act('dog', id, 'restore')
  assert.equal(
    (await getDog(db, id)).images.map(({ url }) => url),
    images.map(({ url }) => url),
  )
  const found = await checkPhotos(dir, db, { isServed: false })
  assert.is(found.missing.length, 2)
  await repairPhotos(dir, data.backupDir, db, found)
  for (const { url } of images) assert.ok(existsSync(join(dir, url)))
})

quarantined.run()
