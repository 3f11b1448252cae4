import { drawQuestions } from '#features/riddle/round/questions.server.ts'
import { readRound } from '#features/riddle/round/round-token.server.ts'
import type { TestServer } from '#tests/support/server.ts'
import { answered, assert, assertMatches, call, detailOf, serverSuite, signIn } from '#tests/support/suites.ts'

const rounds = serverSuite('api/riddle/rounds')

/** Sends a page's form. @returns where it leads */
async function postForm(server: TestServer, path: string, fields: Record<string, string>): Promise<string> {
  const { status, headers } = await call(server, path, { method: 'POST', fields })
  assert.equal([status, headers.getSetCookie()], [303, []])
  return headers.get('location')!
}
const post = (server: TestServer, path: string, json: unknown, cookie?: string) =>
  call(server, path, { method: 'POST', json, cookie })

rounds(
  'a round is played by plain forms, and its result shows the right ones with the way to their pages',
  async (t) => {
    const { server } = t
    const start = await call(server, '/reto/ronda')
    assert.match(start.body, /<form[^>]*method="post"[^>]*action="\/api\/reto\/ronda"/)
    assert.ok(start.headers.get('etag'), 'it is cached')
    let at = await postForm(server, '/api/reto/ronda', { level: 'facil' })
    const questions = drawQuestions(server.dataDir, readRound(server.dataDir, at.split('/').at(-1))!)
    for (const [i, { asks, right }] of questions.entries()) {
      const page = await call(server, at)
      assert.equal([page.status, page.headers.get('cache-control')], [200, 'private, no-cache'])
      assertMatches(page.body, '<meta name="robots" content="noindex"', `Pregunta ${i + 1} de 10`)
      const pictures = [...page.body.matchAll(/src="(\/reto\/ronda\/[^"]+\.svg)"/g)].map(([, src]) => src!)
      assert.is(pictures.length, asks === 'breed' ? 1 : 4)
      for (const src of pictures) {
        const { status, headers } = await call(server, src)
        assert.equal([status, headers.get('content-type')], [200, 'image/svg+xml'])
      }
      const action = /action="(\/api\/reto\/ronda\/[^"]+)"/.exec(page.body)![1]!
      at = await postForm(server, action, { answer: String(i === 4 ? (right + 1) % 4 : right) })
    }
    const { body } = await call(server, at)
    assert.match(body, /<h1[^>]*>9 de 10<\/h1>/)
    assert.match(body, /href="https:\/\/wa\.me\/\?text=He\+acertado\+9\+de\+10[^"]+reto%2Fronda"/)
    for (const { options, right } of questions) assert.ok(body.includes(`href="/razas/${options[right]}"`))
    const token = at.split('/').at(-1)!
    assert.is(await postForm(server, `/api/reto/ronda/${token}`, { answer: '0' }), at, 'there is no eleventh')
  },
)

rounds('programs play by JSON, and the answer to a question is in none before it is given', async ({ server }) => {
  let view = (await answered(200, post(server, '/api/reto/ronda', { level: 'dificil' }))).body
  const questions = drawQuestions(server.dataDir, readRound(server.dataDir, view.token)!)
  for (const { asks, right, options } of questions) {
    const said = JSON.stringify(view.question)
    for (const slug of options) assert.not.ok(said.includes(`"${slug}`) || said.includes(`/${slug}`), said)
    assert.is(view.question.asks, asks)
    ;({ body: view } = await post(server, `/api/reto/ronda/${view.token}`, { answer: right }))
  }
  assert.equal([view.question, view.score, view.answered.length], [null, 10, 10])
  const eleventh = await post(server, `/api/reto/ronda/${view.token}`, { answer: 0 })
  assert.equal(detailOf(eleventh), [409, 'Esta ronda ya ha terminado: eran diez preguntas.'])
})

rounds('what is no level, no answer and no round is refused by a sentence', async ({ server }) => {
  for (const level of ['', 'imposible', 7, null]) {
    assert.equal(detailOf(await post(server, '/api/reto/ronda', { level })), [422, 'Elige fácil, normal o difícil.'])
  }
  assert.is(await postForm(server, '/api/reto/ronda', { level: 'x' }), '/reto/ronda')
  const { token } = (await post(server, '/api/reto/ronda', { level: 'normal' })).body
  for (const answer of [4, -1, 1.5, '9', '', null]) {
    const { status, body } = await post(server, `/api/reto/ronda/${token}`, { answer })
    assert.equal([status, body.detail], [422, 'Elige una de las cuatro.'], String(answer))
  }
  const back = await postForm(server, `/api/reto/ronda/${token}`, {})
  assert.is(back, `/reto/ronda/${token}?aviso=respuesta`)
  assert.match((await call(server, back)).body, 'Elige una de las cuatro.')
  const forged = `${token}0`
  const refused = await post(server, `/api/reto/ronda/${forged}`, { answer: 1 })
  assert.equal(detailOf(refused), [404, 'Esta ronda no vale. Empieza otra.'])
  const lost = await answered(404, call(server, await postForm(server, `/api/reto/ronda/${forged}`, { answer: '1' })))
  assert.match(lost.body, 'Esta ronda no vale. Empieza otra.')
  for (const path of [`/reto/ronda/${token}/11.svg`, `/reto/ronda/${forged}/1.svg`, `/reto/ronda/${token}/beagle.svg`])
    assert.is((await call(server, path)).status, 404, path)
})

rounds('members play as visitors do', async ({ server }) => {
  const { cookie } = await signIn(server, 'ana@ejemplo.es')
  const { status, body, headers } = await post(server, '/api/reto/ronda', { level: 'normal' }, cookie)
  assert.equal([status, headers.getSetCookie()], [200, []])
  assert.match((await call(server, `/reto/ronda/${body.token}`, { cookie })).body, 'Pregunta 1 de 10')
})
