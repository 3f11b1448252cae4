import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openFirefox } from '#tests/support/engines/firefox.ts'
import { runJourney } from '#tests/support/engines/journey.ts'
import { createEngineWorld, type EngineWorld } from '#tests/support/engines/world.ts'

const engine = suite<{ world: EngineWorld }>('Firefox')

engine.before(async (t) => {
  t.world = await createEngineWorld()
})
engine.after(({ world }) => world.server.dispose())

engine('the main job on a desktop, in the light', async ({ world }) => {
  assert.equal(await runJourney(world, openFirefox, 'firefox-desktop', { width: 1320, height: 900, dark: false }), [])
})

engine('the main job on a phone, in the dark', async ({ world }) => {
  assert.equal(await runJourney(world, openFirefox, 'firefox-phone', { width: 390, height: 844, dark: true }), [])
})

engine.run()
