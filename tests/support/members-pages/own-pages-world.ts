import * as assert from 'uvu/assert'
import { call, formOf } from '#tests/support/api.ts'
import { jpeg } from '#tests/support/dogs/dogs-api.ts'
import type { TestMember } from '#tests/support/members.ts'
import type { TestServer } from '#tests/support/server.ts'

// What tests of members' pages share.

export interface OwnPagesWorld {
  server: TestServer
  ana: TestMember
  /** Ana's dog. */
  toby: AddedDog
}
export interface AddedDog {
  id: string
  path: string
}
type OnServer = Pick<OwnPagesWorld, 'server'>

/** Calls the API; it succeeds or the test fails. */
export async function send({ server }: OnServer, { cookie }: TestMember, method: string, path: string, json?: unknown) {
  const { status, body } = await call(server, path, { method, cookie, ...(json !== undefined && { json }) })
  assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(body)}`)
  return body
}

export async function addDog(
  { server }: OnServer,
  { cookie }: TestMember,
  name: string,
  relationship = 'owner',
  fields: { breed?: string; zone?: string } = {},
) {
  const form = formOf({ name, breed: 'Beagle', relationship, images: jpeg, ...fields })
  const { status, body } = await call(server, '/api/dogs', { method: 'POST', form, cookie })
  assert.is(status, 201, JSON.stringify(body))
  return body.dog as AddedDog
}

/** What pages ask for when they are loaded. */
export const DATA = ['/api/activity', '/api/activity?with=likes', '/api/likes']
