import { call } from '#tests/support/api.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import { dog, seed } from '#tests/support/seed.ts'
import type { TestServer } from '#tests/support/server.ts'

/** Ana, whose dog Toby is, and Luis, who likes and comments. */
export interface TwoMembers {
  ana: TestMember
  luis: TestMember
  toby: { id: string; path: string }
}
type TwoMembersOnServer = TwoMembers & { server: TestServer }

let count = 0

/** New ones at each call, so that no test finds what another left. */
export async function createTwoMembers(server: TestServer): Promise<TwoMembers> {
  const n = ++count
  const ana = await signInMember(server, `ana${n}@ejemplo.es`)
  const luis = await signInMember(server, `luis${n}@ejemplo.es`)
  const [toby] = await seed(server.db, dog({ owner_id: ana.id, name: 'Toby', photos: 0 }))
  return { ana, luis, toby }
}

/** Turns off a member's quiet hours, so that notifications are sent at any hour. */
export const disableQuietHours = (server: TestServer, { cookie }: TestMember) =>
  call(server, '/api/account/notices', {
    method: 'PUT',
    cookie,
    json: { likes: true, comments: true, others: true, quiet: null, time_zone: 'Europe/Madrid', digest: true },
  })

/** Luis likes Toby, or takes it back. */
export const likeToby = ({ server, luis, toby }: TwoMembersOnServer, method: 'PUT' | 'DELETE' = 'PUT') =>
  call(server, `/api/dogs/${toby.id}/like`, { method, cookie: luis.cookie })

/** Luis says something of Toby. */
export const commentOnToby = ({ server, luis, toby }: TwoMembersOnServer, content: string) =>
  call(server, `/api/dogs/${toby.id}/comments`, { method: 'POST', cookie: luis.cookie, json: { content } })

/** The endpoints of Ana's subscribed devices. */
export const readPushEndpoints = async ({ server, ana }: Pick<TwoMembersOnServer, 'server' | 'ana'>) => {
  const rows = await server.db
    .selectFrom('push_subscriptions')
    .select('endpoint')
    .where('user_id', '=', ana.id)
    .execute()
  return rows.map(({ endpoint }) => endpoint)
}
