import { DRAFT_RETENTION_DAYS, draftKey, memberDraftPrefix, readDraft } from '#features/dogs/form/draft.client.ts'
import { EMPTY_VALUES } from '#features/dogs/form/form-values.ts'
import { assert, suite } from '#tests/support/suites.ts'

const draft = suite('unit/dogs/form/draft')
const NOW = 1_795_000_000_000

const values = {
  ...EMPTY_VALUES,
  name: 'Toby',
  breed: 'Mestizo',
  mix: 'labrador y galgo',
  age: '3',
  size: 'grande' as const,
}
const saved = {
  values,
  photos: [
    { url: '/photos/a.jpg', alt: 'Duerme' },
    { url: '/photos/b.jpg' },
    { id: 'n1', name: 'toby.jpg', alt: 'Corre' },
  ],
  savedAt: NOW,
}

draft('a draft is restored as it was', () => {
  assert.equal(readDraft(JSON.stringify(saved), NOW + 1000), saved)
})

draft('each person has a draft of their own for each dog, and no other has the key', () => {
  const people = [null, 'ana', 'luis']
  const keys = people.flatMap((member) => [null, 'd1', 'd2'].map((dogId) => draftKey(dogId, member)))
  assert.is(new Set(keys).size, keys.length)
  for (const member of ['ana', 'luis'])
    assert.equal(
      keys.filter((key) => key.startsWith(memberDraftPrefix(member))),
      [null, 'd1', 'd2'].map((dogId) => draftKey(dogId, member)),
    )
})

draft('a draft is discarded after a month', () => {
  const day = 86_400_000
  assert.ok(readDraft(JSON.stringify(saved), NOW + (DRAFT_RETENTION_DAYS - 1) * day))
  assert.is(readDraft(JSON.stringify(saved), NOW + (DRAFT_RETENTION_DAYS + 1) * day), null)
})

draft('invalid stored values are ignored', () => {
  for (const text of [null, '', '{', 'null', '[]', '3', '{"savedAt":"yesterday"}'])
    assert.is(readDraft(text, NOW), null)
})

draft('restores only values that fit their field', () => {
  const strange = JSON.stringify({
    savedAt: NOW,
    values: {
      name: 7,
      size: 'enorme',
      age_unit: 'siglos',
      relationship: 'cat',
      is_adopted: 'yes',
      zone: 'Cádiz',
      x: 1,
    },
    photos: [{ url: 3 }, { id: 'a' }, null, { id: 'b', name: 'b.jpg' }, { url: '/c', alt: 7 }],
  })
  const read = readDraft(strange, NOW)
  assert.equal(read?.values, { ...EMPTY_VALUES, zone: 'Cádiz' })
  assert.equal(read?.photos, [{ id: 'b', name: 'b.jpg' }])
})
