import { cpSync, existsSync, globSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { openDatabase } from '#db/client.ts'
import type { TargetKind } from '#db/schema.ts'
import { makeBackup } from '#features/maintenance/backup.server.ts'
import { checkPhotos } from '#features/maintenance/doctor/check-photos.server.ts'
import { repairPhotos } from '#features/maintenance/doctor/repair-photos.server.ts'
import { restoreBackup } from '#features/maintenance/restore.server.ts'
import { claimDog } from '#features/dogs/write/claim.server.ts'
import { findDog, getDog } from '#features/dogs/dog.server.ts'
import { enqueue } from '#features/outbox/jobs.server.ts'
import { applyAllPhotoMoves } from '#features/photos/planned-moves.server.ts'
import { hiddenPhotoUrl } from '#features/photos/photos.ts'
import { sweepRenders } from '#features/photos/render/render-sweep.server.ts'
import { findNonPublicPhotos } from '#features/photos/visibility.server.ts'
import { readHiddenPhoto } from '#features/reports/hidden/hidden-photos.server.ts'
import { autoHideTarget } from '#features/reports/reports.server.ts'
import { holdDog } from '#tests/support/moderation/held-dog.ts'
import { listHiddenItems } from '#tests/support/moderation/hidden-items.ts'
import { makeEstablishedMembers } from '#tests/support/reports/established-members.ts'
import { deleteMemberAccount } from '#tests/support/account/delete-member-account.ts'
import { makeDataDir } from '#tests/support/maintenance/data-dir.ts'
import { readStoredState } from '#tests/support/faults/stored-state.ts'
import { addRealDog, photos } from '#tests/support/dogs/dogs-fixture.ts'
import { ADMIN, admin, report, reportAndDecide } from '#tests/support/reports/cases.ts'
import { assert, member, pick, pluck, refusal, seed, suite } from '#tests/support/suites.ts'

interface World extends Awaited<ReturnType<typeof createWorld>> {
  act: (kind: TargetKind, id: string, deed: 'hide' | 'restore') => Promise<void>
}

async function createWorld() {
  const data = await makeDataDir()
  const { db, dir } = data
  const people = [admin(), member(), member({ alias: 'Ana' }), member({ alias: 'Luis' })] as const
  const [asker, reporter, ana, luis] = await seed(db, ...people)
  return { data, db, dir, admin: asker, reporter, ana, luis }
}

const quarantined = suite<World>('unit/moderation/quarantined-photos')
quarantined.before.each(async (t) => {
  Object.assign(t, await createWorld())
  t.act = (kind, id, deed) => reportAndDecide(t, kind, id, deed)
})
quarantined.after.each(({ data }) => data.dispose())

const addWithPhotos = async (t: World, userId: string | null, fields: object = {}) =>
  addRealDog(t, userId, fields, { uploads: await photos(2), holdAnonymous: true })

async function addPublicDog(t: World) {
  const { dir } = t
  const { dog } = await addWithPhotos(t, t.ana.id)
  for (const { url } of dog.images) {
    const render = join(dir, 'cache', url, 'card@1x.avif')
    mkdirSync(dirname(render), { recursive: true })
    writeFileSync(render, 'render')
  }
  return dog
}

/** The names of files of photos, those of photos with renders, and where versions before moved the files of hidden ones. */
const files = (dir: string) => {
  const names = (pattern: string) =>
    globSync(pattern, { cwd: dir })
      .map((path) => basename(path))
      .sort()
  const renders = globSync('cache/photos/*/*.avif', { cwd: dir }).map((path) => basename(dirname(path)))
  return { photos: names('photos/*.jpg'), former: names('photos/held/*.jpg'), renders: renders.sort() }
}

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
      await report(world.db, someone, 'dog', id, network)
    }
    assert.ok(await autoHideTarget(world.db, { kind: 'dog', id }, ADMIN))
    return { id }
  },
  'added with doubtful words': async (t) => (await addWithPhotos(t, t.ana.id, { description: 'Se vende' })).dog,
  'added without account': async (t) => (await addWithPhotos(t, null)).dog,
  'held with its edit by a version before': async (world) => {
    const { id } = await addPublicDog(world)
    await holdDog(world.db, world.ana, id)
    return { id }
  },
  'a photo hidden alone': async (world) => {
    const { id, images } = await addPublicDog(world)
    await world.act('photo', images[0]!.url, 'hide')
    return { id, left: 1, thing: ['photo', images[0]!.url] }
  },
}

for (const [way, hide] of Object.entries(QUARANTINE_ROUTES)) {
  quarantined(`${way}: leaves no public photo and no render, and restoring gives the same addresses`, async (world) => {
    const { db, dir, act } = world
    const { id, left = 0, thing = ['dog', id] } = await hide(world)
    const { photos } = files(dir)
    const hidden = await findNonPublicPhotos(db, photos)
    assert.equal([photos.length, hidden.length], [2, 2 - left])
    await sweepRenders(db, dir)
    assert.equal(files(dir).renders, left === 0 ? [] : photos.filter((name) => !hidden.includes(name)))
    assert.equal(pick(await listHiddenItems(db), 'kind', 'id'), [thing])
    // Hidden already: from now on by a decision, and nothing comes back by it.
    await act(...thing, 'hide')
    assert.equal(await findNonPublicPhotos(db, photos), hidden)
    await act(...thing, 'restore')
    assert.equal(await findNonPublicPhotos(db, photos), [])
    const dog = await getDog(db, id)
    assert.equal(dog.images.map(({ url }) => basename(url)).sort(), photos)
    assert.ok(photos.includes(basename(dog.photo_url)))
    assert.equal(files(dir).photos, photos)
    assert.equal((await checkPhotos(dir, db, { isServed: false })).orphans, [])
  })

  quarantined(
    `${way}: the next start and doctor return files that a version before moved, and the backup has them`,
    async (world) => {
      const { db, dir, data } = world
      const { id, left = 0 } = await hide(world)
      const { photos } = files(dir)
      const hidden = await findNonPublicPhotos(db, photos)
      assert.equal((await checkPhotos(dir, db, { isServed: false })).misplaced, [])
      mkdirSync(join(dir, 'photos', 'held'))
      const setAside = () => {
        for (const name of hidden) renameSync(join(dir, 'photos', name), join(dir, 'photos', 'held', name))
      }
      setAside()
      const returns = hidden.map((name) => ({ key: name, payload: 'return' }))
      await enqueue(db, 'photo-files', returns)
      const backup = await makeBackup({ dataDir: dir, backupDir: data.backupDir })
      assert.equal(backup.missing, [])
      assert.equal(files(backup.path).photos, photos)
      const found = await checkPhotos(dir, db, { isServed: false })
      assert.equal(found.misplaced.sort(), hidden.sort())
      assert.equal([found.orphans, found.missing], [[], []])
      await repairPhotos(dir, data.backupDir, db, found)
      assert.equal([files(dir).photos, files(dir).former], [photos, []])
      setAside()
      // Half done: in both places.
      cpSync(join(dir, 'photos', 'held', hidden[0]!), join(dir, 'photos', hidden[0]!))
      await applyAllPhotoMoves(db, dir)
      assert.equal([files(dir).photos, files(dir).former], [photos, []])
      const copy = join(dir, '..', 'copia')
      await restoreBackup({ dataDir: copy, backup: backup.path })
      assert.equal(files(copy).photos, photos)
      await using restored = openDatabase(join(copy, 'perrario.db'))
      assert.equal((await findNonPublicPhotos(restored, photos)).sort(), hidden.sort())
      assert.is((await findDog(restored, id))?.id, left > 0 ? id : undefined)
    },
  )
}

quarantined('a quarantined photo is served to its owners and the admin alone', async (world) => {
  const { db, dir, ana, luis, admin: asker, act } = world
  const { id, images } = await addPublicDog(world)
  const [first, second] = images.map(({ url }) => url.slice('/photos/'.length)) as [string, string]
  const asked = async (user: { id: string } | null, name: string) => {
    const requester = { user: user && { email: 'x@ejemplo.es', ...user }, adminEmail: ADMIN }
    return (await refusal(readHiddenPhoto(db, dir, requester, name)).catch(() => [200]))[0]
  }
  assert.is(await asked(ana, first), 404, 'nothing of hers is out of sight')
  await db.updateTable('dogs_all').set({ discoverer_id: luis.id }).where('id', '=', id).execute()
  await act('photo', `/photos/${first}`, 'hide')
  const [eva] = await seed(db, member())
  for (const who of [ana, luis, asker.user]) assert.is(await asked(who, first), 200)
  for (const who of [eva, null]) assert.is(await asked(who, first), 404)
  for (const who of [ana, asker.user]) assert.is(await asked(who, second), 404, 'that one is in public')
  await act('dog', id, 'hide')
  for (const who of [ana, luis, asker.user]) assert.is(await asked(who, second), 200)
  for (const who of [eva, null]) assert.is(await asked(who, second), 404)
  for (const name of ['', '../perrario.db', `../${first}`, `held/${first}`, first.replace('.jpg', '.png')])
    assert.is(await asked(asker.user, name), 404, name)
  // Whoever is no longer of the dog sees it no longer.
  await deleteMemberAccount(db, dir, luis, 'keep')
  assert.is(await asked(luis, second), 404)
})

quarantined('a member who claims a pending dog sees its photos from then on', async (world) => {
  const { db, dir, ana } = world
  const { dog, association } = await addWithPhotos(world, null)
  const name = dog.images[0]!.url.split('/').at(-1)!
  assert.is(dog.images[0]!.url, hiddenPhotoUrl(`/photos/${name}`))
  const asker = { user: { id: ana.id, email: null }, adminEmail: ADMIN }
  assert.is((await refusal(readHiddenPhoto(db, dir, asker, name)))[0], 404)
  await claimDog(db, ana.id, dog.id, { ownershipType: 'owner', token: association!.token })
  assert.ok((await readHiddenPhoto(db, dir, asker, name)).length > 0)
})

quarantined('an approval of a photo is known when it is shown again', async (world) => {
  const { db, act } = world
  const { id, images } = await addPublicDog(world)
  const first = images[0]!.url
  await act('photo', first, 'hide')
  await act('photo', first, 'restore')
  const { url } = (await getDog(db, id)).images[0]!
  assert.is(url, first)
  const cases = await db.selectFrom('cases').select('thing_id').execute()
  assert.equal(cases, [{ thing_id: url }])
  const reports = await db.selectFrom('reports').select('thing_id').execute()
  assert.equal(reports, [{ thing_id: url }])
  assert.not(await autoHideTarget(db, { kind: 'photo', id: url }, ADMIN))
})

quarantined('a case about a photo is still its own after its dog was hidden', async (world) => {
  const { db, ana, luis, act } = world
  const { id, images } = await addPublicDog(world)
  const second = images[1]!.url
  await report(db, luis, 'photo', second)
  await act('dog', id, 'hide')
  await act('dog', id, 'restore')
  assert.is((await getDog(db, id)).images[1]!.url, second)
  await act('photo', second, 'hide')
  assert.is((await getDog(db, id)).images.length, 1)
  const cases = await db.selectFrom('cases').select('thing_id').where('kind', '=', 'photo').execute()
  assert.equal(cases, [{ thing_id: second }], 'one case, not two')
  assert.is((await getDog(db, id)).owner_id, ana.id)
})

quarantined('a failed restore leaves the photo quarantined and nothing else', async (world) => {
  const { db, dir, act } = world
  const { id, images } = await addPublicDog(world)
  await act('photo', images[0]!.url, 'hide')
  await act('dog', id, 'hide')
  const before = await readStoredState(db, dir)
  assert.is((await refusal(act('photo', images[0]!.url, 'restore')))[0], 409)
  assert.equal(await readStoredState(db, dir), before)
})

quarantined('a lost photo keeps its address, by which doctor restores it from a backup', async (world) => {
  const { db, dir, data, act } = world
  const { id, images } = await addPublicDog(world)
  await act('dog', id, 'hide')
  await makeBackup({ dataDir: dir, backupDir: data.backupDir })
  for (const { url } of images) rmSync(join(dir, url))
  await act('dog', id, 'restore')
  assert.equal(pluck((await getDog(db, id)).images, 'url'), pluck(images, 'url'))
  const found = await checkPhotos(dir, db, { isServed: false })
  assert.is(found.missing.length, 2)
  await repairPhotos(dir, data.backupDir, db, found)
  for (const { url } of images) assert.ok(existsSync(join(dir, url)))
})
