/** Hand-set traits of the mongrel and companion dogs, by slug. The breed's facts decide everything that a line does not name. */
import type { TraitOverride } from '#features/breeds/portrait/types.ts'
import { DARK, WHITE } from './colours.ts'

// One breed per line reads as the table it is.
// prettier-ignore
export const COMPANIONS: Readonly<Record<string, TraitOverride>> = {
  mestizo: { family: 'gundog', ear: 'semi', earTurn: 10, coat: 'medium', colour: 'canela', pal: { base: '#d8b07a', ear: '#a9783f', second: '#a9783f', muzzle: '#fbeed6', chest: '#fbeed6', body: '#d3aa72', light: '#fbeed6', ruff: '#cfa469' }, marks: ['onePatch'], mouth: 'tongue', collar: '#5b8c3a' },
  affenpinscher: { head: 'monkey', ear: 'button', earLen: 0.7, wide: 1.02, muzzleWide: 1, coat: 'shaggy', hair: 'tuft', beard: 2, brows: 0, fluff: 0.8 },
  'bichon-bolones': { head: 'round', hair: 'tuft', ear: 'drop', earLen: 1.0, coat: 'curly', wide: 1, mouth: 'smile', crown: -3 },
  'bichon-frise': { head: 'round', hair: 'halo', ear: 'drop', earLen: 0.8, wide: 1.02, beard: 1, pal: { base: '#fffdf8', ear: '#f9f3e9', ruff: '#f5eee3', top: '#ffffff', eye: '#1f1612', nose: '#1f1612', beard: '#ffffff' }, coat: 'curly', mouth: 'tongue', collar: '#2f7f86' },
  'bichon-habanero': { head: 'water', family: 'round', ear: 'long', earLen: 0.8, wide: 0.98, colour: 'marrón habana', coat: 'silky' },
  'bichon-maltes': { head: 'yorkie', ear: 'drop', earLen: 0.9, wide: 1.1, family: 'round', coat: 'silky', hair: 'bow', pal: { base: '#fffdf8', ruff: '#f8f1e5', ear: '#efe6d8', eye: '#211813', nose: '#211813' }, mouth: 'tongue', collar: '#d4578a', body: 56 },
  bolonka: { head: 'shihTzu', ear: 'drop', hair: 'fringe', coat: 'shaggy', wide: 0.96, colour: 'crema' },
  caniche: { head: 'poodle', coat: 'curly', hair: 'pompom', ear: 'long', colour: 'albaricoque', pal: { base: '#dba673', ear: '#c68c57', top: '#e3b585', muzzle: '#e9c49b', body: '#d59f6b', ruff: '#dba673', chest: '#e0b07f', eye: '#33211a', nose: '#33231c' }, mouth: 'smile', collar: '#8a5aa8' },
  'caniche-toy': { head: 'poodle', hair: 'halo', ear: 'lobe', earLen: 0.66, coat: 'curly', colour: 'blanco', scale: 0.94, eyeSize: 1.25, noseDrop: -6, wide: 1.06, pal: { base: '#fbf7f0', ear: '#efe6d9', top: '#ffffff', ruff: '#f4ecdf', body: '#f6efe4' }, mouth: 'tongue', body: 52, collar: '#d4578a' },
  'cavalier-king-charles-spaniel': { head: 'cavalier', ear: 'lobe', earLen: 0.92, earWide: 1.1, family: 'spaniel', coat: 'long', colour: 'blenheim', marks: ['wideBlaze'], pal: { base: '#b8602b', ear: '#984a1d', muzzle: WHITE, chest: WHITE, light: WHITE, body: WHITE, ruff: WHITE }, eyeSize: 1.14, noseDrop: -4, mouth: 'tongue' },
  cavapoo: { head: 'cavalier', hair: 'topknot', ear: 'lobe', earLen: 0.8, coat: 'curly', family: 'round', colour: 'albaricoque' },
  chihuahua: { head: 'apple', ear: 'wing', earLen: 1.1, earTurn: 6, colour: 'leonado', eyeSize: 1.06, scale: 0.96, pal: { base: '#dba767', ear: '#c48d4c', muzzle: '#f5e0bf', chest: '#f5e0bf', light: '#f5e0bf' }, mouth: 'closed', body: 54 },
  'chin-japones': { head: 'boston', ear: 'long', earLen: 0.7, coat: 'long', wide: 0.88, eyeSize: 1.16, colour: 'blanco y negro', mouth: 'smile', muzzleWide: 0.86, pal: { ruff: WHITE }, look: 'round' },
  cockapoo: { head: 'cocker', coat: 'curly', hair: 'topknot', ear: 'lobe', earLen: 0.86, beard: 1, family: 'round' },
  'coton-de-tulear': { head: 'round', ear: 'long', earLen: 0.8, wide: 0.94, coat: 'long', hair: 'fringe', fluff: 1.1, pal: { ear: '#efe3d0' } },
  'grifon-belga': { head: 'monkey', ear: 'semi', earLen: 0.66, wide: 1, beardLong: 1.2, beard: 2, muzzleWide: 0.85, eyeSize: 1.18 },
  'grifon-de-bruselas': { head: 'monkey', ear: 'highButton', earLen: 0.9, wide: 1.06, beardLong: 1.2, coat: 'wire', beard: 2, brows: 1, muzzleWide: 0.85, eyeSize: 1.18 },
  'king-charles-spaniel': { head: 'pug', family: 'apple', ear: 'lobe', earLen: 0.96, wide: 0.88, crown: 12, coat: 'long', look: 'round' },
  kokoni: { head: 'papillon', ear: 'vee', earLen: 0.9, coat: 'long', wide: 1.06 },
  'lhasa-apso': { head: 'shihTzu', ear: 'long', earLen: 0.9, wide: 0.92, noseDrop: 5, colour: 'dorado', coat: 'silky', beard: 2, mouth: 'smile' },
  maltipoo: { head: 'yorkie', ear: 'lobe', earLen: 0.62, hair: 'topknot', wide: 1.12, family: 'round', coat: 'curly', colour: 'albaricoque' },
  papillon: { head: 'papillon', ear: 'butterfly', earLen: 0.96, earTurn: 14, coat: 'long', colour: 'blanco con manchas', marks: ['patches'], pal: { second: '#b5662c', ear: '#7c4420', inner: '#c98f6a', ruff: WHITE, chest: WHITE }, scale: 0.88, eyeSize: 0.96, mouth: 'smile', body: 54 },
  phalene: { head: 'papillon', ear: 'lobe', earLen: 0.7, wide: 1, earUp: 4, coat: 'long', marks: ['patches'], pal: { second: '#b5662c', ear: '#8a4e26' } },
  'pequeno-brabanzon': { head: 'monkey', ear: 'button', earLen: 0.76, wide: 1.06, muzzleWide: 0.8, eyeSize: 1.2, colour: 'negro y fuego' },
  'pequeno-perro-leon': { head: 'water', ear: 'long', earLen: 0.66, wide: 1.0, family: 'round', colour: 'crema', coat: 'mane', hair: 'fringe' },
  pequines: { head: 'peke', ear: 'long', earLen: 0.78, coat: 'mane', fluff: 1.2, colour: 'leonado', hair: 'none', pal: { base: '#d09a55', ear: '#8d5a2a', ruff: '#d8a866', muzzle: DARK, mask: DARK, chest: '#ecd2a4', body: '#cf9a57', eye: '#6b4526' }, marks: ['mask'], eyeSize: 1.12, mouth: 'tongue', wide: 0.98 },
  puggle: { head: 'beagle', family: 'flat', ear: 'drop', earLen: 0.9, wide: 1.02, noseDrop: -4, muzzleWide: 0.85, add: ['mask'], mouth: 'tongue' },
  'ratonero-de-praga': { head: 'papillon', family: 'apple', ear: 'erect', earLen: 1.06, wide: 0.96 },
  'shih-tzu': { head: 'shihTzu', ear: 'drop', earLen: 1.1, noseDrop: 0, family: 'round', coat: 'silky', hair: 'bow', colour: 'blanco y dorado', muzzleWide: 1.1, pal: { base: WHITE, ruff: '#c98d4d', ear: '#a56d35', muzzle: '#ffffff', light: '#ffffff', body: WHITE, chest: '#ffffff', second: '#c98d4d', nose: '#211a17' }, marks: ['goggles', 'blaze'], eyeSize: 1.14, mouth: 'tongue', collar: '#8a5aa8' },
  'spaniel-tibetano': { head: 'cavalier', family: 'apple', ear: 'vee', earLen: 0.98, wide: 0.94, coat: 'long', marks: ['mask'], mouth: 'smile' },
  'terrier-tibetano': { head: 'bobtail', ear: 'drop', earLen: 1.1, wide: 0.88, noseDrop: -3, coat: 'shaggy', hair: 'fringe', colour: 'bicolor', marks: [], pal: { base: '#fdf9f2', muzzle: '#ffffff', ear: '#4a4644', top: '#5a5553', ruff: '#fdf9f2', body: '#fdf9f2', beard: '#ffffff', chest: '#ffffff' } },
  'toy-ruso': { head: 'papillon', family: 'apple', ear: 'butterfly', earLen: 1.1, wide: 0.92, coat: 'smooth', eyeSize: 1.1 },
  'terrier-biewer': { head: 'yorkie', ear: 'small', earLen: 0.9, pal: { ruff: '#3a3636', base: WHITE, muzzle: '#ffffff', ear: '#4a3c34', top: '#3a3636', body: WHITE, chest: WHITE }, marks: [], hair: 'bow', collar: '#2f6aa0' },
  'yorkshire-terrier': { head: 'yorkie', ear: 'small', earLen: 1, coat: 'silky', hair: 'bow', scale: 0.95, pal: { base: '#cf9753', ear: '#b27b3d', inner: '#dfa98d', muzzle: '#e0b37a', ruff: '#d9a662', chest: '#c79353', body: '#4f5a66', top: '#dcae74', nose: '#211a17', eye: '#2a1c15', beard: '#e0b37a' }, marks: [], beard: 0, eyeSize: 1.06, mouth: 'tongue', collar: '#d4578a', body: 56 },
  chinook: { head: 'gundog', ear: 'highFold', earLen: 0.8, coat: 'medium', wide: 0.96 },
}
