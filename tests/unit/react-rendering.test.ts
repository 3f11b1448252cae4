import { Heart, Star } from 'lucide-react'
import { createElement } from 'react'
import { reactHtml } from '#ui/react-html.ts'
import { assert, suite } from '#tests/support/suites.ts'

// What pages get from React where nothing hydrates: parts of lists and icons.

const rendering = suite('unit/react-rendering')

rendering('HTML without hydration is rendered once for the same props of the same component', () => {
  let times = 0
  const Dog = ({ name, likes }: { name: string; likes: number }) => {
    times++
    return createElement('p', null, name, ': ', likes)
  }
  const Other = ({ name }: { name: string; likes: number }) => createElement('b', null, name)
  assert.is(reactHtml(Dog, { name: '<i>Toby</i>', likes: 1 }), '<p>&lt;i&gt;Toby&lt;/i&gt;: 1</p>')
  assert.is(reactHtml(Dog, { name: '<i>Toby</i>', likes: 1 }), '<p>&lt;i&gt;Toby&lt;/i&gt;: 1</p>')
  assert.is(times, 1)
  assert.is(reactHtml(Dog, { name: '<i>Toby</i>', likes: 2 }), '<p>&lt;i&gt;Toby&lt;/i&gt;: 2</p>')
  assert.is(reactHtml(Other, { name: 'Toby', likes: 1 }), '<b>Toby</b>')
  assert.is(times, 2)
})

rendering('an icon is hidden from assistive technology unless it has a label', () => {
  assert.match(reactHtml(Heart, {}), /^<svg [^>]*class="lucide lucide-heart"[^>]* aria-hidden="true"[^>]*><path /)
  const named = reactHtml(Star, { className: 'ic ticked', 'aria-label': '«Verificado» & "más"' })
  assert.match(named, /class="lucide lucide-star ic ticked"/)
  assert.match(named, /aria-label="«Verificado» &amp; &quot;más&quot;"/)
  assert.not.match(named, /aria-hidden/)
})
