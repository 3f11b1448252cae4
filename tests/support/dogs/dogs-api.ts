import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { call, formOf } from '#tests/support/api.ts'
import { photo, textFile } from '#tests/support/photos/sample-photos.ts'
import type { TestServer } from '#tests/support/server.ts'

export const jpeg = new Blob([await photo()], { type: 'image/jpeg' })
export const otherJpeg = new Blob([await photo(220, 30, 50)], { type: 'image/jpeg' })
/** It says it is a photo and is none. */
export const fakeJpeg = new Blob([textFile], { type: 'image/jpeg' })

/** What tests of the dogs' routes do on one server. */
export function dogHelpers(server: TestServer) {
  return {
    /** The files of photos, by name. */
    photos: () => {
      const folder = join(server.dataDir, 'photos')
      return existsSync(folder) ? readdirSync(folder).sort() : []
    },
    /** Adds a dog over HTTP; 201 or the test fails. */
    added: async (fields: Parameters<typeof formOf>[0] = {}, cookie?: string, headers = {}) => {
      const form = formOf({ name: 'Toby', breed: 'Beagle', images: jpeg, ...fields })
      const answer = await call(server, '/api/dogs', { method: 'POST', form, cookie, headers })
      assert.is(answer.status, 201, JSON.stringify(answer.body))
      return answer.body
    },
  }
}
