import { walkOnPhone } from '#tests/support/browser/phone-walk.ts'
import { selectStates, startTemplateWorld, type TemplateWorld } from '#tests/support/browser/template-walk.ts'
import { assert, suite } from '#tests/support/suites.ts'

// Every page that a member or an admin meets, in all of its states in a whole run, opened once on a phone, with the checks of
// templates-visitor, and under a notch.
const pages = suite('templates on a phone, a member’s')
let t: TemplateWorld

pages.before(async () => {
  t = await startTemplateWorld()
})
pages.after(() => t.dispose())

pages('no state of a member’s page has a fault', async () => {
  const states = selectStates(t, ({ by }) => by !== 'visitor')
  assert.equal(await walkOnPhone(t, states), [])
})
