import { createAliasChecker } from '#features/profiles/edit/alias-checker.client.ts'
import { assert, suite } from '#tests/support/suites.ts'

/** A checker with a stubbed server and all statuses shown; `next` resolves with the next one. */
function setUp(answer: (alias: string) => Promise<{ available: boolean; detail?: string }>) {
  const shown: [string, string][] = []
  const requested: { alias: string; signal: AbortSignal }[] = []
  let onShow = () => {}
  const checker = createAliasChecker({
    delayMs: 0,
    fetchAvailability: (alias, signal) => {
      requested.push({ alias, signal })
      return answer(alias)
    },
    show: (status, text = '') => {
      shown.push([status, text])
      onShow()
    },
  })
  const next = () =>
    new Promise<[string, string]>((resolve) => {
      onShow = () => resolve(shown.at(-1)!)
    })
  return { checker, shown, requested, next }
}

const check = suite('unit/profiles/alias-checker')

check('a malformed alias is an error at once, without a request', () => {
  const { checker, shown, requested } = setUp(() => Promise.resolve({ available: true }))
  checker.check('   ', 'Ana')
  assert.equal(shown, [['bad', 'El alias no puede estar vacío']])
  assert.equal(requested, [])
})

check('the stored alias shows nothing, without a request', () => {
  const { checker, shown, requested } = setUp(() => Promise.resolve({ available: true }))
  checker.check('  Ana ', 'Ana')
  assert.equal(shown, [['', '']])
  assert.equal(requested, [])
})

check('a new alias is checked normalised, and shown as available', async () => {
  const { checker, shown, requested, next } = setUp(() => Promise.resolve({ available: true }))
  checker.check(' Ana   María', 'Ana')
  assert.equal(shown, [['busy', 'Comprobando…']])
  assert.equal(await next(), ['free', 'Disponible'])
  assert.is(requested[0]!.alias, 'Ana María')
})

check('a taken alias is an error, in the server’s words or in ours', async () => {
  const detail = 'Elige otro alias: este no se puede usar.'
  const { checker, next } = setUp((alias) => Promise.resolve({ available: false, ...(alias === 'Eva' && { detail }) }))
  checker.check('Luis', 'Ana')
  assert.equal(await next(), ['bad', 'Este alias ya está en uso.'])
  checker.check('Eva', 'Ana')
  const showsDetail = next()
  assert.equal(await showsDetail, ['bad', detail])
})

check('without a response the message is empty: saving reports the problem', async () => {
  const { checker, next } = setUp(() => Promise.reject(new Error('offline')))
  checker.check('Luis', 'Ana')
  assert.equal(await next(), ['', ''])
})

check('a later check cancels the request of an earlier one, which shows nothing', async () => {
  let sent = () => {}
  const isSent = new Promise<void>((resolve) => (sent = resolve))
  const { checker, shown, requested, next } = setUp((alias) => {
    if (alias !== 'Luis') return Promise.resolve({ available: true })
    sent()
    const { signal } = requested.at(-1)!
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
  })
  checker.check('Luis', 'Ana')
  await isSent
  checker.check('Luisa', 'Ana')
  assert.equal(await next(), ['free', 'Disponible'])
  assert.ok(requested[0]!.signal.aborted)
  assert.equal(
    shown.map(([status]) => status),
    ['busy', 'busy', 'free'],
  )
})
