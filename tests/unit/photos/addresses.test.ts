import { photoName, photoSrc, photoSrcSet, photoSrcSetByWidth, safePhotoUrl } from '#features/photos/photos.ts'
import { assert, suite } from '#tests/support/suites.ts'

const NAME = '3b241101-e2bb-4255-8caf-4136c566a962_1795193588146_d9q7qfyg.jpg'
const URL = `/photos/${NAME}`

const addresses = suite('unit/photos/addresses')

addresses('a photo is shown by its render, with the address that unpic writes', () => {
  assert.is(photoSrc(URL, 'card'), `/_ipx/s_300x300,q_95,f_auto/photos/${NAME}`)
  assert.is(photoSrc(URL, 'thumb'), `/_ipx/s_120x120,q_90,f_auto/photos/${NAME}`)
  assert.is(photoSrc(URL, 'carousel'), `/_ipx/s_900x900,q_85,f_auto/photos/${NAME}`)
  assert.is(photoSrc(URL, 'breed'), `/_ipx/s_700x700,q_90,f_auto/photos/${NAME}`)
  assert.is(photoSrc(URL, 'small'), `/_ipx/s_100x100,q_80,f_auto/photos/${NAME}`)
  assert.is(photoSrc(URL, 'dogThumb'), `/_ipx/s_250x250,q_85,f_auto/photos/${NAME}`)
  assert.is(photoSrc(URL, 'default'), `/_ipx/s_500x600,q_90,f_auto/photos/${NAME}`)
})

addresses('srcset has a render of two times the size, beside src of one, but none above the stored photo’s', () => {
  const [once, twice] = [300, 600].map((side) => `/_ipx/s_${side}x${side},q_95,f_auto/photos/${NAME}`)
  assert.is(photoSrc(URL, 'card'), once)
  assert.is(photoSrcSet(URL, 'card'), `${twice} 2x`)
  assert.is(photoSrcSet(URL, 'carousel'), undefined)
})

addresses('a photo of variable width has renders by width', () => {
  const [small, large] = [300, 600].map((side) => `/_ipx/s_${side}x${side},q_95,f_auto/photos/${NAME}`)
  assert.is(photoSrcSetByWidth(URL, 'card'), `${small} 300w, ${large} 600w`)
  assert.is(photoSrcSetByWidth('/retratos/beagle.svg', 'card'), undefined)
})

addresses('drawings and other addresses stay unchanged', () => {
  for (const url of ['/retratos/beagle.svg', 'https://example.org/dog.jpg', 'data:image/png;base64,AAAA']) {
    assert.equal([photoSrc(url, 'card'), photoSrcSet(url, 'card')], [url, undefined])
  }
})

addresses('an address that is not an image’s becomes the placeholder', () => {
  const bad = [
    '',
    'foto.jpg',
    'javascript:alert(1)',
    ' /photos/a.jpg',
    '/con espacio.jpg',
    'http://',
    'https://a b',
    'httpx:1',
  ]
  for (const url of [...bad, null, undefined]) assert.is(safePhotoUrl(url), '/placeholder.svg', String(url))
  assert.is(photoSrc('', 'card'), '/placeholder.svg')
})

addresses('only our own names resolve to a file', () => {
  assert.is(photoName(URL), NAME)
  const strange = [
    `/photos/../${NAME}`,
    `/photos/a/${NAME}`,
    `//photos/${NAME}`,
    `${URL}\n`,
    `${URL}?x=1`,
    URL.replace('.jpg', '.svg'),
    URL.replace('3b24', '../.'),
    URL.replace('_d9q7qfyg', ''),
    '/photos/..%2f..%2fperrario.db',
    NAME,
  ]
  for (const url of strange) assert.is(photoName(url), null, url)
})
