import { breedNames } from '#features/breeds/catalogue.server.ts'
import { breedNameHtml } from '#features/breeds/name-html.ts'
import { hyphenateName, syllables } from '#features/breeds/syllables.ts'
import { assert, suite } from '#tests/support/suites.ts'

const breeds = suite('unit/breeds/breed-syllables')

breeds('long words are split between syllables', () => {
  const spoken = ['Affen-pin-scher', 'Staf-ford-shire', 'Xoloitz-cuin-tle', 'Krom-fohr-lan-der', 'che-cos-lo-vaco']
  assert.equal(
    spoken.map((word) => syllables(word.replaceAll('-', '')).join('-')),
    spoken,
  )
})

breeds('words without a syllable boundary stay unsplit', () => {
  for (const word of ['Boxer', 'Akita', 'Inu', 'strengths', '']) assert.equal(syllables(word), [word])
})

breeds('no breed’s name loses a letter, and no first or last piece is too short', () => {
  const names = breedNames.map(({ name }) => name)
  assert.ok(names.length > 400)
  for (const name of names) {
    const parts = hyphenateName(name)
    assert.is(parts.map(({ text }) => text.replaceAll('\u00AD', '')).join(''), name)
    for (const { text, isLong } of parts) {
      // With so many letters a word may be wider than the narrowest place of the album.
      assert.is(isLong, /[^\s-]{9}/.test(text.replaceAll('\u00AD', '')), name)
      const pieces = text.split('\u00AD')
      if (isLong) assert.ok(Math.min(pieces[0]!.length, pieces.at(-1)!.length) >= 3, name)
      if (isLong) assert.ok(Math.max(...pieces.map(({ length }) => length)) <= 9, name)
    }
  }
})

breeds('long words are boxes of their own in HTML, and an admin’s name is escaped', () => {
  assert.is(breedNameHtml('Bóxer'), 'Bóxer')
  assert.is(breedNameHtml('Terrier <b> Affenpinscher'), 'Terrier &lt;b&gt; <span class="hy">Affen\u00ADpinscher</span>')
  assert.is(breedNameHtml('Affenpin<i>'), '<span class="hy">Affen\u00ADpin&lt;i&gt;</span>')
})
