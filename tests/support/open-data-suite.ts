import { like } from '#features/likes/likes.server.ts'
import { addComment } from '#features/comments/comments.server.ts'
import { hideDog } from '#features/dogs/hidden-dogs.server.ts'
import { call } from '#tests/support/api.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { suite } from '#tests/support/suites.ts'

/** The parts of the OpenAPI document that tests read. */
export interface OpenApiDocument {
  paths: Record<string, { get: DocumentedOperation }>
  components: { schemas: Record<string, object> }
}
export interface DocumentedOperation {
  operationId: string
  parameters: {
    name: string
    in: string
    description: string
    required: boolean
    example?: string | number
    schema: { enum?: string[]; default?: unknown }
  }[]
  responses: Record<number, { content: Record<string, { schema: object }> }>
}

export interface World {
  server: TestServer
  ids: Record<string, string>
  document: OpenApiDocument
}
/** A suite over a server with five dogs, of which one is quarantined. */
export function openDataSuite(name: string) {
  const open = suite<World>(name)
  open.before(async (w) => {
    w.server = await startServer()
    const { db } = w.server

    const [ana, ...dogs] = await seed(
      db,
      member({ alias: 'Ana la Secreta', email: 'ana@ejemplo.es' }),
      dog({
        name: 'Toby',
        zone: 'Toledo',
        age: 3,
        age_unit: 'años',
        weight: 12.5,
        size: 'mediano',
        created_at: 5000,
      }),
      dog({ name: 'Luna', zone: 'Chamberí, Madrid', breed: 'Dálmata', created_at: 4000 }),
      dog({ name: '', zone: 'asdfgh', created_at: 3000 }),
      dog({ name: '=Cosa', zone: 'Vigo', created_at: 2000 }),
      dog({ name: 'Oculto', zone: 'Toledo', created_at: 1000 }),
    )
    w.ids = Object.fromEntries(dogs.map(({ id, name }) => [name, id]))
    await like(db, ana, w.ids.Toby!)
    await addComment(db, ana, w.ids.Toby!, 'Hola')
    await db.transaction().execute((trx) => hideDog(trx, w.ids.Oculto!, 'admin' as never))
    w.document = (await call(w.server, '/api/openapi.json')).body
  })
  open.after((w) => w.server.dispose())
  return open
}

/** Requests the table of dogs. */
export const fetchCsv = async (w: World, query = '') => {
  const response = await fetch(`${w.server.url}/datos/perros.csv${query}`)
  return { response, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer()) }
}
