import { walkOnPhone } from '#tests/support/browser/phone-walk.ts'
import { selectStates, startTemplateWorld, type TemplateWorld } from '#tests/support/browser/template-walk.ts'
import { FAILURE_STATES } from '#tests/support/browser/templates.ts'
import { withoutDogsTable } from '#tests/support/missing-table.ts'
import { listFiles } from '#tests/support/sources.ts'
import { assert, suite } from '#tests/support/suites.ts'

// Every page that a visitor meets, in all of its states in a whole run, opened once on a phone (support/browser/phone-walk.ts): axe in light
// and dark, 320, 360 and 390 px, text at 200 % and spaced out (WCAG 1.4.4, 1.4.10, 1.4.12), targets of 44 px, the focus by Tab, the content policy,
// other origins, errors and cookies. Members' pages: templates-member; on a desktop: browser/layout/templates-desktop.
const pages = suite('templates on a phone, a visitor’s')
let t: TemplateWorld

pages.before(async () => {
  t = await startTemplateWorld()
})
pages.after(() => t.dispose())

pages('every template has its states', () => {
  // A fragment is no page but a part of one.
  const templates = listFiles(['src/pages'], ['.astro'])
    .map((path) => path.slice('src/pages/'.length))
    .filter((path) => !path.startsWith('fragments/'))
  assert.equal(Object.keys(t.templates).toSorted(), templates.toSorted())
})

pages('no state of a visitor’s page has a fault', async () => {
  const states = selectStates(t, (state) => state.by === 'visitor' && !FAILURE_STATES.includes(state))
  assert.equal(await walkOnPhone(t, states), [])
})

pages('no page has a fault while the database fails', async () => {
  await withoutDogsTable(t.server, async () =>
    assert.equal(await walkOnPhone(t, FAILURE_STATES, { ignored: /status of 500/ }), []),
  )
})
