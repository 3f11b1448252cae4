/** Hand-set traits of sighthounds, by slug. The breed's facts decide everything that a line does not name. */
import type { TraitOverride } from '#features/breeds/portrait/types.ts'
import { WHITE } from './colours.ts'

// One breed per line reads as the table it is.
// prettier-ignore
export const SIGHTHOUNDS: Readonly<Record<string, TraitOverride>> = {
  azawakh: { head: 'greyhound', ear: 'highFold', earLen: 0.82, wide: 0.92, crown: 3, marks: ['mask'], pal: { mask: '#5c4432', chest: WHITE } },
  borzoi: { head: 'borzoi', ear: 'roseBack', earLen: 0.9, coat: 'long', hair: 'none', colour: 'bicolor', fluff: 1, marks: ['patches'], pal: { base: '#fdf9f1', second: '#c9965a', ear: '#c9965a', ruff: '#fbf4e7', muzzle: '#ffffff', body: '#fdf9f1', chest: '#ffffff' }, noseDrop: 4 },
  chippiparai: { head: 'whippet', ear: 'semi', earLen: 0.7, wide: 0.94 },
  'galgo-de-mudhol': { head: 'sight', ear: 'pendant', earLen: 0.72, wide: 1.08, colour: 'crema', crown: -3 },
  'galgo-espanol': { head: 'greyhound', ear: 'rose', earLen: 0.92, wide: 1, colour: 'barcino', pal: { base: '#bf9463', second: '#6d4d2d', ear: '#9b7346', muzzle: '#e6d0ae', chest: '#f3e6d0', mask: '#4a382b' }, marks: ['brindle'], mouth: 'closed', look: 'soft', collar: '#d4452a' },
  'galgo-ingles': { head: 'greyhound', ear: 'roseBack', earLen: 1, wide: 1.12, colour: 'azul', pal: { chest: WHITE }, mouth: 'smile', scale: 1.03 },
  'galgo-italiano': { head: 'iggy', ear: 'roseBack', earLen: 0.94, wide: 1, noseDrop: 0, colour: 'isabela', scale: 1.08, eyeSize: 1.02, body: 52, pal: { base: '#cfae86', ear: '#b8946a', chest: WHITE, nose: '#5a4a42' }, mouth: 'closed' },
  kombai: { head: 'pitbull', family: 'sight', ear: 'semi', earLen: 0.8, wide: 0.9, marks: ['mask'] },
  'lebrel-afgano': { head: 'afghan', coat: 'silky', hair: 'parting', ear: 'long', earLen: 0.9, colour: 'arena', fluff: 1.5, pal: { base: '#cda56c', muzzle: '#4a3a2f', mask: '#4a3a2f', ruff: '#e6cc9c', ear: '#c39a62', top: '#e6cc9c', body: '#dcc08c' }, marks: ['mask'], look: 'almond', mouth: 'closed' },
  'lebrel-escoces': { head: 'deerhound', coat: 'wire', ear: 'roseBack', earLen: 0.9, beard: 1, beardLong: 1.05, brows: 1, hair: 'tuft', fluff: 1.1, wide: 0.98, body: 76, neck: 30, pal: { base: '#6f7880', ear: '#454c54', beard: '#8f979d', top: '#838b92', muzzle: '#78818a' }, colour: 'gris', scale: 1.05 },
  'lebrel-hungaro': { head: 'chart', ear: 'rose', earLen: 1.15, earWide: 1.1, wide: 1.06, colour: 'atigrado', marks: ['brindle', 'blaze'] },
  'lebrel-irlandes': { head: 'wolfhound', coat: 'shaggy', ear: 'rose', earLen: 0.95, beard: 2, beardLong: 1.15, brows: 2, browLong: 1.3, hair: 'forelock', wide: 1.02, colour: 'trigo', pal: { base: '#b59a70', ear: '#8a6f47', beard: '#d6c19a', top: '#c5ac81', ruff: '#a3875c', muzzle: '#b59a70', body: '#a98d62', chest: '#bfa67c' }, body: 90, collar: '#7a4b2a' },
  'lebrel-polaco': { head: 'chart', ear: 'roseBack', earLen: 1.1, wide: 0.96, crown: 4, colour: 'negro', marks: ['snip'], pal: { light: '#fffaf1', chest: '#fffaf1' } },
  rajapalayam: { head: 'chart', ear: 'highFold', earLen: 1.0, wide: 1.0, pal: { nose: '#c98e80', inner: '#efb9ab' } },
  saluki: { head: 'afghan', ear: 'long', earLen: 0.8, earUp: 14, wide: 1.06, coat: 'long', colour: 'dorado', hair: 'none', fluff: 0.6, pal: { base: '#e2bd86', ear: '#b98848', muzzle: '#f7e9cf', chest: '#f7e9cf', ruff: '#e2bd86' }, look: 'soft', mouth: 'closed' },
  'silken-windhound': { head: 'chart', ear: 'roseBack', wide: 0.88, noseDrop: 2, coat: 'long', hair: 'none', fluff: 0.9 },
  sloughi: { head: 'sight', ear: 'pendant', earLen: 0.82, wide: 0.96, marks: ['mask'], crown: 4 },
  'tazy-kazajo': { head: 'sight', ear: 'lobe', earLen: 0.68, wide: 0.98, colour: 'gris', hair: 'none', coat: 'long', fluff: 0.5 },
  whippet: { head: 'whippet', ear: 'rose', earLen: 0.8, wide: 1, colour: 'leonado', pal: { chest: WHITE, light: WHITE, muzzle: WHITE, base: '#c99a68', ear: '#a97c4d' }, add: ['blaze'], eyeSize: 1, mouth: 'smile', scale: 1.06 },
}
