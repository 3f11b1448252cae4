import { openWebKit } from '#tests/support/engines/webkit.ts'
import { runJourney } from '#tests/support/engines/journey.ts'
import { createEngineWorld, type EngineWorld } from '#tests/support/engines/world.ts'
import { assert, suite } from '#tests/support/suites.ts'

const engine = suite<{ world: EngineWorld }>('WebKit')

engine.before(async (t) => {
  t.world = await createEngineWorld()
})
engine.after(({ world }) => world.server.dispose())

engine('the main job on a desktop, in the light', async ({ world }) => {
  assert.equal(await runJourney(world, openWebKit, 'webkit-desktop', { width: 1320, height: 900, dark: false }), [])
})

engine('the main job on a phone, in the dark', async ({ world }) => {
  assert.equal(await runJourney(world, openWebKit, 'webkit-phone', { width: 390, height: 844, dark: true }), [])
})
