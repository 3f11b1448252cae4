import type { Trx as Db } from '#db/client.ts'
import { hideDog } from '#features/dogs/hidden-dogs.server.ts'
import { insertLostCase } from '#tests/support/lost/open-case.ts'
import type { MatrixWorld } from '#tests/support/matrix/world.ts'
import { dog, seed } from '#tests/support/seed.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import type { LostStates } from './lost-states.ts'
import type { Template } from './templates.ts'

/** The list of lost dogs: one whose name and zone are long, and filters that leave none. */
export async function listLostTemplates(
  db: Db,
  { other, owner, dog: toby }: MatrixWorld,
  { asked, unseen, home }: LostStates,
): Promise<Record<string, Template>> {
  const [lost] = await seed(
    db,
    dog({ owner_id: other.id, name: 'Maximiliana de los Santos', breed: 'Perro de montaña' }),
  )
  await insertLostCase(db, lost, { province: '28', zone: 'San Sebastián de los Reyes, Madrid' })
  const [hidden] = await seed(db, dog({ owner_id: owner.id, name: 'Sombra' }))
  await insertLostCase(db, hidden)
  await db.transaction().execute((trx) => hideDog(trx, hidden.id, 'admin'))
  const form = (of: { id: string }) => `/perdidos/${of.id}`
  return {
    'perdidos.astro': [
      { path: '/perdidos', by: 'visitor', heading: 'Perros perdidos' },
      { path: '/perdidos?provincia=08', by: 'visitor', heading: 'Perros perdidos' },
      { path: '/perdidos', by: 'owner', heading: 'Perros perdidos' },
    ],
    'perdidos/primeras-24-horas.astro': [
      { path: '/perdidos/primeras-24-horas', by: 'visitor', heading: 'Qué hacer en las primeras 24 horas' },
      { path: '/perdidos/primeras-24-horas', by: 'owner', heading: 'Qué hacer en las primeras 24 horas' },
    ],
    'perdidos/[dogId]/index.astro': [
      { path: form(asked), by: 'owner', heading: `Buscamos a ${asked.name}` },
      { path: form(toby), by: 'owner', heading: `Se ha perdido ${toby.name}` },
      { path: `${form(unseen)}?hecho=guardado`, by: 'owner', heading: `Buscamos a ${unseen.name}` },
      { path: form(hidden), by: 'owner', heading: `Buscamos a ${hidden.name}` },
      { path: `${form(home)}?hecho=casa`, by: 'owner', heading: `¡${home.name} está en casa!` },
      { path: form({ id: UNKNOWN_ID }), by: 'owner', heading: 'Perro no encontrado' },
    ],
    'p/[code].astro': [{ path: '/p/k3x9wz', by: 'visitor', heading: 'Ya no se busca a este perro' }],
  }
}

/** Dogs' pages and posters while they are lost, and once they are home. */
export const listLostDogTemplates = ({ asked, home, code }: LostStates): Record<'dog' | 'poster', Template> => ({
  dog: [
    { path: asked.path, by: 'visitor', heading: asked.name },
    { path: asked.path, by: 'owner', heading: asked.name },
    { path: `/p/${code}`, by: 'member', heading: asked.name },
    { path: home.path, by: 'visitor', heading: home.name },
  ],
  poster: [{ path: `/perro/${asked.id}/cartel`, by: 'visitor', heading: `Cartel de ${asked.name}` }],
})
