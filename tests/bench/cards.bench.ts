/**
 * Share cards and stickers: what the first of the process costs, what the next ones do, and what they weigh. To reach: under
 * 100 ms cold and 150 kB. Alone: npm run bench -- cards
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { preparePhoto, storePhoto } from '#features/photos/photos.server.ts'
import { renderCard } from '#features/share/cards.server.ts'
import type { DogCardData, CardData } from '#features/share/share.ts'
import { phonePhoto } from '#tests/support/photos/test-pictures.ts'

const ROUNDS = 15
const DOG = '3b241101-e2bb-4255-8caf-4136c566a962'
const dir = mkdtempSync(join(tmpdir(), 'perrario-bench-'))

const median = (times: number[]) => times.toSorted((a, b) => a - b)[times.length >> 1]!

const { url: photo } = await storePhoto(dir, DOG, await preparePhoto(await phonePhoto()))
const dog: DogCardData = {
  kind: 'perro',
  name: 'Toby',
  breed: 'Beagle',
  breedSlug: 'beagle',
  age: '3 años',
  weight: '12,5 kg',
  zone: 'Jaca',
  photo,
  style: null,
}
const faces: [string, CardData][] = [
  ['dog', dog],
  ['dog, holo', { ...dog, style: 'holo' }],
  ['dog, platinum', { ...dog, style: 'platinum' }],
  ['dog without photo', { ...dog, photo: '' }],
  [
    'breed',
    { kind: 'raza', slug: 'beagle', name: 'Beagle', original: '', number: '045', facts: ['9–11 kg'], photo: null },
  ],
  [
    'member',
    {
      kind: 'miembro',
      alias: 'Ana',
      verified: true,
      since: 'Miembro desde 2026',
      counters: [['Perros', '12']],
      photos: [1, 2, 3].map(() => ({ photo, breedSlug: 'beagle' })),
    },
  ],
  ['site', { kind: 'sitio' }],
  ['sticker', { ...dog, kind: 'cromo' }],
  ['sticker, holo', { ...dog, kind: 'cromo', style: 'holo' }],
]
console.log('| picture | first ms | next ms | processor ms | kB |\n| --- | ---: | ---: | ---: | ---: |')
for (const [name, face] of faces) {
  const times: number[] = []
  let bytes = 0
  const before = process.cpuUsage()
  for (let i = 0; i < ROUNDS; i++) {
    const start = performance.now()
    bytes = (await renderCard(face, dir)).length
    times.push(performance.now() - start)
  }
  const { user, system } = process.cpuUsage(before)
  const figures = [times[0]!, median(times.slice(1)), (user + system) / 1000 / ROUNDS, bytes / 1000]
  console.log(`| ${name} | ${figures.map((figure) => figure.toFixed(0)).join(' | ')} |`)
}
rmSync(dir, { recursive: true })
