import { globSync } from 'node:fs'
import type { TargetKind } from '#db/schema.ts'
import { exportMemberData } from '#features/account/export/export-zip.server.ts'
import { addDog } from '#features/dogs/write/add.server.ts'
import { claimDog } from '#features/dogs/write/claim.server.ts'
import { dogSchema } from '#features/dogs/write/dog-input.ts'
import { deleteDog, requireEditableDog, updateDog } from '#features/dogs/write/edit.server.ts'
import { replaceGallery } from '#features/dogs/write/gallery.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { applyCaseAction } from '#features/reports/cases/case-actions.server.ts'
import type { DecisionInput } from '#features/reports/decisions/decisions.ts'
import { submitReport } from '#features/reports/reports.server.ts'
import { type DataDir, makeDataDir } from '#tests/support/maintenance/data-dir.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { member, withRecentSignIn, seed } from '#tests/support/seed.ts'
import { unzip } from '#tests/support/zip.ts'
import { assert, countRows, type Db, refusal, suite } from '#tests/support/suites.ts'

const ADMIN = 'admin@ejemplo.es'
const NOT_FOUND = [404, 'El perro que buscas no existe o ha sido eliminado.']
const QUARANTINED = [
  409,
  'Este perro está oculto o en revisión: hasta que se decida no se puede cambiar, pero sí eliminar.',
]

interface World {
  data: DataDir
  db: Db
  dir: string
  ana: { id: string }
  luis: { id: string }
  act: (kind: TargetKind, id: string, deed: DecisionInput['deed']) => Promise<void>
}
const own = suite<World>('unit/moderation/own-quarantined-dogs')
own.before.each(async (t) => {
  t.data = await makeDataDir()
  Object.assign(t, { db: t.data.db, dir: t.data.dir })
  const [user, reporter, ana, luis] = await seed(t.db, member({ email: ADMIN }), member(), member(), member())
  Object.assign(t, { ana, luis })
  t.act = async (kind, id, deed) => {
    const cases = t.db.selectFrom('cases').select('id').where('kind', '=', kind).where('thing_id', '=', id)
    if (!(await cases.executeTakeFirst()))
      await submitReport(t.db, reporter, { kind, id, reason: 'spam', words: '' }, 'x')
    const { id: caseId } = await cases.executeTakeFirstOrThrow()
    await applyCaseAction(t.db, t.dir, { user, adminEmail: ADMIN }, caseId, {
      deed,
      reason: 'Es publicidad.',
      days: null,
    })
  }
})
own.after.each(({ data }) => data.dispose())

const input = (fields: object = {}) => dogSchema.parse({ name: 'Toby', breed: 'beagle', ...fields })
const add = async ({ db, dir }: World, userId: string | null, fields: object = {}) =>
  addDog(db, dir, {
    input: input(fields),
    uploads: [await photo(0), await photo(20)],
    userId,
    holdAnonymous: true,
  })
const files = (dir: string, id: string) => globSync([`photos/${id}*`, `photos/held/${id}*`], { cwd: dir }).length

/** Every way out of sight, and whose the dog is then. */
const QUARANTINE_ROUTES: Record<string, (world: World) => Promise<{ id: string; who: { id: string } }>> = {
  'hidden by the admin': async (world) => {
    const { dog } = await add(world, world.ana.id)
    await world.act('dog', dog.id, 'hide')
    return { id: dog.id, who: world.ana }
  },
  'after a photo of it was hidden alone': async (world) => {
    const { dog } = await add(world, world.ana.id)
    await world.act('photo', dog.images[1]!.url, 'hide')
    await world.act('dog', dog.id, 'hide')
    return { id: dog.id, who: world.ana }
  },
  'that waits for its words, of its discoverer': async (world) => {
    const fields = { description: 'Se vende', relationship: 'discoverer' }
    return { id: (await add(world, world.ana.id, fields)).dog.id, who: world.ana }
  },
  'added without account and claimed': async (world) => {
    const { dog, association } = await add(world, null)
    await claimDog(world.db, world.luis.id, dog.id, { ownershipType: 'owner', token: association!.token })
    return { id: dog.id, who: world.luis }
  },
  'whose owner is banned': async (world) => {
    const { dog } = await add(world, world.ana.id)
    await world.act('dog', dog.id, 'hide')
    await ban(world.db, world.ana.id, { until: null, reason: 'Insultos' })
    return { id: dog.id, who: world.ana }
  },
}

for (const [way, hide] of Object.entries(QUARANTINE_ROUTES))
  own(`a dog ${way} can be deleted by its members completely, and edited by nobody`, async (world) => {
    const { db, dir, ana, luis } = world
    const { id, who } = await hide(world)
    const deeds = (asker: { id: string } | null) => [
      updateDog(db, asker, id, { weight: 3 }),
      replaceGallery(db, dir, asker, id, ['/photos/x.jpg']),
      requireEditableDog(db, asker, id),
    ]
    for (const deed of deeds(who)) assert.equal(await refusal(deed), QUARANTINED)
    const stranger = who === ana ? luis : ana
    for (const deed of [...deeds(stranger), deleteDog(db, dir, stranger, id)])
      assert.equal(await refusal(deed), NOT_FOUND)
    assert.is((await refusal(deleteDog(db, dir, null, id)))[0], 401)
    assert.is(files(dir, id), 2)
    await deleteDog(db, dir, who, id)
    assert.is(files(dir, id), 0)
    for (const table of ['dogs_all', 'dog_images_all']) assert.is(await countRows(db, table), 0, table)
    assert.equal(await refusal(deleteDog(db, dir, who, id)), NOT_FOUND)
  })

own('the uploader of a quarantined dog and visitors receive 404', async (world) => {
  const { db, dir, ana, luis } = world
  const { dog } = await add(world, ana.id)
  await db.updateTable('dogs_all').set({ owner_id: luis.id }).where('id', '=', dog.id).execute()
  await world.act('dog', dog.id, 'hide')
  assert.equal(await refusal(deleteDog(db, dir, ana, dog.id)), NOT_FOUND)
  await deleteDog(db, dir, luis, dog.id)
})

async function readExport({ db, dir }: World, user: { id: string }) {
  const chunks: Uint8Array[] = []
  for await (const piece of exportMemberData(db, dir, withRecentSignIn(user))) chunks.push(piece)
  const all = await unzip(new Uint8Array(Buffer.concat(chunks)))
  return { all, data: JSON.parse(all.get('datos.json')!.toString()) }
}

for (const [name, alsoDog] of [
  ['of a dog that everybody sees', false],
  ['of a dog that is hidden itself', true],
] as const)
  own(`a photo that was hidden on its own, ${name}, is in its owner’s data export`, async (world) => {
    const { ana, luis, act } = world
    const { dog } = await add(world, ana.id)
    const [first, second] = dog.images.map(({ url }) => url) as [string, string]
    await act('photo', first, 'hide')
    if (alsoDog) await act('dog', dog.id, 'hide')
    const { all, data } = await readExport(world, ana)
    const [toby] = data.perros
    assert.equal(
      toby.images.map(({ url, oculta = false }: { url: string; oculta?: boolean }) => [url.split('/').at(-1), oculta]),
      [
        [second.split('/').at(-1), alsoDog],
        [first.split('/').at(-1), true],
      ],
    )
    const names = toby.images.map(({ archivo }: { archivo: string }) => archivo)
    assert.is(new Set(names).size, 2)
    for (const file of names) assert.ok(all.get(file)!.length > 100, file)
    assert.equal((await readExport(world, luis)).data.perros, [])
  })

own.run()
