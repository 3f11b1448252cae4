import { openFirefox } from '#tests/support/engines/firefox.ts'
import { runJourney } from '#tests/support/engines/journey.ts'
import { sample } from '#tests/support/sample.ts'
import { createEngineWorld, type EngineWorld } from '#tests/support/engines/world.ts'
import { assert, suite } from '#tests/support/suites.ts'

const engine = suite<{ world: EngineWorld }>('Firefox')

engine.before(async (t) => {
  t.world = await createEngineWorld()
})
engine.after(({ world }) => world.server.dispose())

const SIZES = [
  { name: 'a desktop, in the light', id: 'firefox-desktop', width: 1320, height: 900, dark: false },
  { name: 'a phone, in the dark', id: 'firefox-phone', width: 390, height: 844, dark: true },
]

// WebKit takes both sizes in every run: what it draws wrongly differs from one to the other.
for (const { name, id, ...size } of sample(SIZES, 1))
  engine(`the main job on ${name}`, async ({ world }) => {
    assert.equal(await runJourney(world, openFirefox, id, size), [])
  })
