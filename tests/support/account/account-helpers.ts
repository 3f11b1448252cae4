import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { call, formOf } from '#tests/support/api.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { signIn } from '#tests/support/seed.ts'
import type { TestServer } from '#tests/support/server.ts'

/** What tests of the account do on one server. */
export function accountHelpers(server: TestServer) {
  let count = 0
  return {
    newMember: async () => {
      const email = `persona${++count}@ejemplo.es`
      return { email, ...(await signIn(server, email)) }
    },
    who: async (cookie: string) => (await call(server, '/api/session', { cookie })).body.user,
    post: (path: string, cookie: string, fields: Record<string, string> = {}, headers = {}) =>
      call(server, path, { method: 'POST', cookie, fields, headers }),
    /** A dog with two real photos, added as the form adds it. */
    newDog: async (cookie: string, name = 'Toby') => {
      const pictures = await Promise.all([photo(40), photo(200)])
      const images = pictures.map((data, i) => new File([data], `${i}.jpg`, { type: 'image/jpeg' }))
      const form = formOf({ name, breed: 'Beagle', zone: 'Lugo', relationship: 'owner', images })
      const { status, body } = await call(server, '/api/dogs', { method: 'POST', form, cookie })
      assert.is(status, 201, JSON.stringify(body))
      return body.dog as { id: string; path: string; images: { url: string }[] }
    },
    photoFile: (url: string) => join(server.dataDir, url),
  }
}
