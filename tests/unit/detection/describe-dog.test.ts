import { transact } from '#db/transact.ts'
import { describeDog } from '#features/detection/detection.http.ts'
import { freshDb } from '#tests/support/db.ts'
import { photo, textFile } from '#tests/support/photos/sample-photos.ts'
import { chatDog, chatError, type ChatStub, startChatStub } from '#tests/support/stubs/chat-completions.ts'
import { assert, captureConsole, suite } from '#tests/support/suites.ts'

const KEY = 'sk-clave-secreta'

const describing = suite<{ stub: ChatStub; locals: App.Locals; logged: ReturnType<typeof captureConsole> }>(
  'unit/detection/describe-dog',
)
let network = 0
describing.before(async (t) => {
  t.stub = await startChatStub()
  // Before the settings are read, once for the process.
  Object.assign(process.env, {
    DETECTION_URL: t.stub.url,
    DETECTION_MODEL: 'modelo',
    DETECTION_KEY: KEY,
    DETECTION_SECONDS: '1',
    DETECTION_PER_DAY: '8',
  })
})
describing.before.each((t) => {
  t.locals = { db: freshDb(), network: `10.0.0.${network++}`, user: null } as unknown as App.Locals
  t.stub.requests.length = 0
  t.logged = captureConsole()
})
describing.after.each(async ({ locals, logged }) => {
  logged[Symbol.dispose]()
  assert.not.match(logged.join('\n'), /secreta/)
  await locals.db.destroy()
})
describing.after(({ stub }) => stub.stop())

describing('tells breeds, size and coat', async ({ stub, locals }) => {
  stub.answers = [
    chatDog(
      [
        ['Beagle', 'media'],
        ['Gato', 'alta'],
      ],
      'Mediana',
      ['corta', 'tricolor', 'bonito'],
    ),
  ]
  assert.equal(await describeDog(locals, await photo()), {
    breeds: [{ breed: 'Beagle', confidence: 'media' }],
    size: 'mediano',
    coat: ['corto', 'tricolor'],
  })
  assert.equal(await locals.db.selectFrom('daily_budgets').select(['name', 'used']).execute(), [
    { name: 'breed-detections', used: 1 },
  ])
})

describing('a failure of the service is no description', async ({ stub, locals }) => {
  for (const answer of [chatError(401, `no ${KEY}`), null]) {
    stub.answers = [answer]
    assert.is(await describeDog(locals, await photo()), null)
  }
})

describing('a file that is no photo is no description, and is not sent', async ({ stub, locals }) => {
  assert.equal([await describeDog(locals, textFile), stub.requests], [null, []])
})

describing('a spent budget is no description, and nothing is sent', async ({ stub, locals }) => {
  stub.answers = [chatDog([['Beagle', 'alta']])]
  await transact(locals.db, (trx) =>
    trx.insertInto('daily_budgets').values({ name: 'breed-detections', used: 8, since: Date.now() }).execute(),
  )
  assert.equal([await describeDog(locals, await photo()), stub.requests], [null, []])
})
