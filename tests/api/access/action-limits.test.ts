import { signInMember, type TestMember } from '#tests/support/members.ts'
import { answered, assert, call, dog, seed, serverSuite, type ServerWorld } from '#tests/support/suites.ts'

// What costs the server more than it costs who asks has a limit of its own, also for a member on a device of theirs.

type Context = ServerWorld & { ana: TestMember; eva: TestMember; dogs: { ana: string; eva: string } }
const limits = serverSuite<Context>('api/access/action-limits')
limits.before(async (t) => {
  t.ana = await signInMember(t.server)
  t.eva = await signInMember(t.server, 'eva@ejemplo.es')
  const [toby, lia] = await seed(t.server.db, dog({ owner_id: t.ana.id }), dog({ owner_id: t.eva.id }))
  t.dogs = { ana: toby.id, eva: lia.id }
})

type Actor = 'ana' | 'eva'
const post = ({ server, ...t }: Context, who: Actor, path: string, json: object) =>
  call(server, path, { method: 'POST', cookie: t[who].cookie, json })

/** How often each may be done in its time, what it is answered until then, and how it is done. */
const LIMITED_ACTIONS: Record<
  string,
  [most: number, status: number, action: (t: Context, who: Actor) => ReturnType<typeof call>]
> = {
  'edits of a dog': [
    120,
    200,
    ({ server, dogs, ...t }, who) =>
      call(server, `/api/dogs/${dogs[who]}`, { method: 'PATCH', cookie: t[who].cookie, json: { is_adopted: true } }),
  ],
  'codes tried on a known device': [
    30,
    422,
    (t, who) => post(t, who, '/api/auth/code', { email: t[who].email, code: '000000' }),
  ],
  'mails asked for on a known device': [
    30,
    202,
    (t, who) => post(t, who, '/api/auth/magic-link', { email: t[who].email }),
  ],
}

for (const [name, [most, status, action]] of Object.entries(LIMITED_ACTIONS))
  limits(
    `${name}: a member may do it ${most} times, then receives 429, and another member is unaffected`,
    async (t) => {
      const statuses = []
      for (let n = 0; n < most; n++) statuses.push((await action(t, 'ana')).status)
      assert.equal([...new Set(statuses)], [status])
      assert.ok(Number((await answered(429, action(t, 'ana'))).headers.get('retry-after')) > 0)
      assert.is((await action(t, 'eva')).status, status)
    },
  )

limits('confirming the current user counts with signing in, for mails and for codes', async (t) => {
  assert.is((await post(t, 'ana', '/api/auth/confirm', {})).status, 429)
  assert.is((await post(t, 'ana', '/api/auth/confirm/code', { code: '000000' })).status, 429)
  assert.is((await post(t, 'eva', '/api/auth/confirm', {})).status, 202)
  assert.is((await post(t, 'eva', '/api/auth/confirm/code', { code: '000000' })).status, 422)
})
