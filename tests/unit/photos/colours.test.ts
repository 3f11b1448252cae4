import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { preparePhoto } from '#features/photos/photos.server.ts'
import { assert, suite } from '#tests/support/suites.ts'

const STRIPE_PX = 20
/** Grey of 0.508, 0.581 and 0.752; (0.3, 0.58, 0.3), (0.75, 0.3, 0.2) and (0.8, 0.4, 0.2). */
const avif = readFileSync(join(import.meta.dirname, '../../support/photos/fixtures/hdr.avif'))
const box = avif.indexOf('colrnclx')

const colours = suite('unit/photos/colours')

// What Chromium shows, by primaries and transfer. PQ of the greys is 100, 203 and 1000 cd/m²: diffuse white keeps light above it.
for (const [name, primaries, transfer, ...shown] of [
  ['Rec. 2020, PQ', 9, 16, '136 136 136', '187 187 187', '255 255 255', '0 197 0'],
  ['Rec. 2020, HLG', 9, 18, '101 101 101', '120 120 120', '189 189 189', '0 122 50', '209 6 27'],
  ['Rec. 2020', 9, 14, '130 130 130', '148 148 148', '192 192 192', '0 155 63', '234 38 37', '246 77 30'],
  ['Display P3', 12, 13, '130 130 130', '148 148 148', '192 192 192', '41 150 66', '207 67 38', '219 94 31'],
  ['sRGB', 1, 13, '130 130 130', '148 148 148', '192 192 192', '76 148 76', '191 77 50', '204 102 51'],
] as const)
  colours(`an AVIF of ${name} looks on a screen of sRGB as it should`, async () => {
    const tagged = Buffer.from(avif)
    tagged[box + 9] = primaries
    tagged[box + 11] = transfer
    const { data } = await preparePhoto(tagged)
    for (const [index, colour] of shown.entries()) {
      const area = { left: STRIPE_PX * index + 6, top: 6, width: 8, height: 8 }
      const { channels } = await sharp(await sharp(data).extract(area).toBuffer()).stats()
      const means = channels.map(({ mean }) => Math.round(mean))
      const isClose = colour.split(' ').every((value, k) => Math.abs(Number(value) - means[k]!) < 8)
      assert.ok(isClose, `${index}: ${means.join(' ')}, not ${colour}`)
    }
  })
