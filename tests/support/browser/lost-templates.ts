import type { Db } from '#db/client.ts'
import { insertLostCase } from '#tests/support/lost/open-case.ts'
import type { MatrixWorld } from '#tests/support/matrix/world.ts'
import { dog, seed } from '#tests/support/seed.ts'
import type { Template } from './templates.ts'

/** The list of lost dogs: one whose name and zone are long, and filters that leave none. */
export async function listLostTemplates(db: Db, { other }: MatrixWorld): Promise<Record<string, Template>> {
  const [lost] = await seed(
    db,
    dog({ owner_id: other.id, name: 'Maximiliana de los Santos', breed: 'Perro de montaña' }),
  )
  await insertLostCase(db, lost, { province: '28', zone: 'San Sebastián de los Reyes, Madrid' })
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
  }
}
