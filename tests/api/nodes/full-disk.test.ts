import { photo } from '#tests/support/photos/sample-photos.ts'
import { createPostgresDatabase } from '#tests/support/postgres/databases.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { startServer } from '#tests/support/server.ts'
import { startBucket } from '#tests/support/storage/bucket.ts'
import { answered, assert, assertProblem, call, formOf, signInMember, suite } from '#tests/support/suites.ts'

// A node whose disk is full: what is stored elsewhere is not refused.
const disk = suite('api/nodes/full-disk')

const NO_ROOM = 'Ahora mismo no nos queda sitio para guardar fotos. Inténtalo más tarde.'
/** No disk has as much. */
const MIN_FREE_MB = '999999999'

for (const isRemote of [false, true])
  disk(
    `with PostgreSQL and ${isRemote ? 'a bucket' : 'local photos'}, only photos of the full disk are refused`,
    async () => {
      const database = await createPostgresDatabase()
      const bucket = isRemote ? await startBucket() : undefined
      const server = await startServer({ DATABASE_URL: database.url, MIN_FREE_MB, ...bucket?.env })
      try {
        const { cookie } = await signInMember(server)
        const [, luna] = await seed(server.db, member(), dog())
        const as = (method: string, path: string, json?: object) => call(server, path, { method, cookie, json })
        assert.is((await as('POST', `/api/dogs/${luna.id}/comments`, { content: 'Hola' })).status, 201)
        assert.is((await as('PUT', `/api/dogs/${luna.id}/like`)).status, 200)
        const report = { kind: 'dog', id: luna.id, reason: 'spam', words: '' }
        assert.ok((await as('POST', '/api/reports', report)).status < 300)
        const images = [new Blob([await photo()])]
        const form = formOf({ name: 'Toby', breed: 'beagle', relationship: 'owner', images })
        const added = await call(server, '/api/dogs', { method: 'POST', cookie, form })
        if (!isRemote) return void assertProblem(added, 507, NO_ROOM)
        assert.is(added.status, 201, JSON.stringify(added.body))
        // Renders need no disk to be sent.
        await answered(200, fetch(`${server.url}/_ipx/q_90,s_120x120${added.body.dog.images[0].url}`))
      } finally {
        await server.dispose()
        await bucket?.dispose()
        await database.drop()
      }
    },
  )
