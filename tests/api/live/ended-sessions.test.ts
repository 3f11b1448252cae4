import type { TestServer } from '#tests/support/server.ts'
import { openEventStream } from '#tests/support/live/event-stream.ts'
import { assert, call, dog, seed, serverSuite, signedIn, signInMember, type TestMember } from '#tests/support/suites.ts'

// A stream outlives the request that opened it: once its session has ended, it is sent nothing that is for its member alone.

const ended = serverSuite('api/live/ended-sessions', {}, signedIn('eva'))

interface Case {
  server: TestServer
  /** The session with the stream. */
  held: TestMember
  /** Another one of the same member. */
  own: TestMember
}

/** Every way in which a member, or somebody with their session, ends it. */
const WAYS: Record<string, (of: Case) => Promise<{ status: number }>> = {
  'its sign-out': ({ server, held }) =>
    call(server, '/api/auth/sign-out', { method: 'POST', cookie: held.cookie, json: {} }),
  'the list of sessions': async ({ server, held, own }) => {
    const { body } = await call(server, '/api/account/sessions', { cookie: held.cookie })
    const { id } = body.sessions.find(({ current }: { current: boolean }) => current)
    return call(server, `/api/account/sessions/${id}`, { method: 'DELETE', cookie: own.cookie })
  },
  'the end of all sessions': ({ server, own }) =>
    call(server, '/api/account/sessions', { method: 'DELETE', cookie: own.cookie }),
}

for (const [way, end] of Object.entries(WAYS))
  ended(`a stream sends no notification once its session was ended by ${way}`, async ({ server, eva }) => {
    const email = `${way.replaceAll(' ', '-')}@ejemplo.es`
    const [held, own] = [await signInMember(server, email), await signInMember(server, email)]
    const [toby] = await seed(server.db, dog({ name: 'Toby', owner_id: held.id }))
    const stream = await openEventStream(`${server.url}/api/events`, { Cookie: held.cookie })
    const say = (content: string) =>
      call(server, `/api/dogs/${toby.id}/comments`, { method: 'POST', cookie: eva.cookie, json: { content } })
    await say('Antes')
    const toldOf = (words: string) => () =>
      stream.told.some(({ type, data }) => type === 'notification' && data.notification.content.includes(words))
    await stream.until(toldOf('Antes'))
    assert.match(String((await end({ server, held, own })).status), /^20/)
    await say('Después')
    await stream.ended
    assert.not(toldOf('Después')())
  })
