import { globSync } from 'node:fs'
import { exportMemberData } from '#features/account/export/export-zip.server.ts'
import { claimDog } from '#features/dogs/write/claim.server.ts'
import { deleteDog, requireEditableDog, updateDog } from '#features/dogs/write/edit.server.ts'
import { replaceGallery } from '#features/dogs/write/gallery.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { addRealDog, photos } from '#tests/support/dogs/dogs-fixture.ts'
import { admin, reportAndDecide } from '#tests/support/reports/cases.ts'
import { withRecentSignIn } from '#tests/support/seed.ts'
import { unzip } from '#tests/support/zip.ts'
import { assert, countRows, dataSuite, member, refusal, update, type WorldOf } from '#tests/support/suites.ts'

const NOT_FOUND = [404, 'El perro que buscas no existe o ha sido eliminado.']
const QUARANTINED = [
  409,
  'Este perro está oculto o en revisión: hasta que se decida no se puede cambiar, pero sí eliminar.',
]

const own = dataSuite('unit/moderation/own-quarantined-dogs', {
  admin: admin(),
  reporter: member(),
  ana: member(),
  luis: member(),
})
type World = WorldOf<typeof own>

const add = async (t: World, userId: string | null, fields: object = {}) =>
  addRealDog(t, userId, fields, { uploads: await photos(2), holdAnonymous: true })
const files = (dir: string, id: string) => globSync([`photos/${id}*`, `photos/held/${id}*`], { cwd: dir }).length

/** Every way out of sight, and whose the dog is then. */
const QUARANTINE_ROUTES: Record<string, (world: World) => Promise<{ id: string; who: { id: string } }>> = {
  'hidden by the admin': async (world) => {
    const { dog } = await add(world, world.ana.id)
    await reportAndDecide(world, 'dog', dog.id, 'hide')
    return { id: dog.id, who: world.ana }
  },
  'after a photo of it was hidden alone': async (world) => {
    const { dog } = await add(world, world.ana.id)
    await reportAndDecide(world, 'photo', dog.images[1]!.url, 'hide')
    await reportAndDecide(world, 'dog', dog.id, 'hide')
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
    await reportAndDecide(world, 'dog', dog.id, 'hide')
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
  await update(db, 'dogs_all', { id: dog.id }, { owner_id: luis.id })
  await reportAndDecide(world, 'dog', dog.id, 'hide')
  assert.equal(await refusal(deleteDog(db, dir, ana, dog.id)), NOT_FOUND)
  await deleteDog(db, dir, luis, dog.id)
})

async function readExport({ db, dir }: World, user: { id: string }) {
  const chunks = await Array.fromAsync(exportMemberData(db, dir, withRecentSignIn(user)))
  const all = await unzip(new Uint8Array(Buffer.concat(chunks)))
  return { all, data: JSON.parse(all.get('datos.json')!.toString()) }
}

for (const [name, alsoDog] of [
  ['of a dog that everybody sees', false],
  ['of a dog that is hidden itself', true],
] as const)
  own(`a photo that was hidden on its own, ${name}, is in its owner’s data export`, async (world) => {
    const { ana, luis } = world
    const { dog } = await add(world, ana.id)
    const [first, second] = dog.images.map(({ url }) => url) as [string, string]
    await reportAndDecide(world, 'photo', first, 'hide')
    if (alsoDog) await reportAndDecide(world, 'dog', dog.id, 'hide')
    const { all, data } = await readExport(world, ana)
    const [toby] = data.perros
    const shown = toby.images.map(({ url, oculta = false }: { url: string; oculta?: boolean }) => [url, oculta])
    const nameOf = (url: string) => url.split('/').at(-1)
    assert.equal(
      shown.map(([url, oculta]: [string, boolean]) => `${nameOf(url)} ${oculta}`),
      [`${nameOf(second)} ${alsoDog}`, `${nameOf(first)} true`],
    )
    const names: string[] = toby.images.map(({ archivo }: { archivo: string }) => archivo)
    assert.is(new Set(names).size, 2)
    for (const file of names) assert.ok(all.get(file)!.length > 100, file)
    assert.equal((await readExport(world, luis)).data.perros, [])
  })
