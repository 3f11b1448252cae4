/** Variation between dogs of one breed. */
import type { Palette, Traits } from '#features/breeds/portrait/types.ts'
import { luma, shade, tint } from '#features/breeds/portrait/colour/colour-math.ts'
import { between, pick, rng } from '#features/breeds/portrait/seeded-random.ts'

const COLLARS = [
  '#d4452a',
  '#2f7f86',
  '#2f6aa0',
  '#8a5aa8',
  '#d4578a',
  '#2d7a55',
  '#c47a12',
  '#3b4a74',
  '#b5442f',
  '#4f9a8f',
  '#7a4b2a',
  '#5b8c3a',
] as const

const COAT_PARTS: readonly (keyof Palette)[] = ['base', 'ear', 'body', 'ruff', 'top', 'second', 'tan']

/** A variation of the breed's traits, seeded by any string. */
export function individualise(t: Traits, individual: string): Traits {
  const r = rng(t.seed + '|' + individual),
    dark = luma(t.pal.base) < 0.3,
    k = between(r, -0.12, dark ? 0.03 : 0.1),
    pal = { ...t.pal }
  for (const p of COAT_PARTS) pal[p] = k < 0 ? shade(pal[p], -k) : tint(pal[p], k)
  // One in ten is old enough for a grey muzzle.
  if (r() < 0.1 && luma(pal.muzzle) < 0.75) pal.muzzle = tint(pal.muzzle, 0.2)
  return {
    ...t,
    pal,
    seed: t.seed + individual,
    tilt: between(r, 2, 7) * (r() < 0.5 ? -1 : 1),
    turn: between(r, -4.5, 4.5),
    aside: between(r, -7, 7),
    near: between(r, 0.92, t.ear === 'tall' ? 0.98 : 1.04),
    collar: pick(r, COLLARS),
    tag: pick(r, ['#f5c542', '#d9dee2', '#f5c542', '#e58a4a']),
    collarKind:
      t.collarKind === 'wide'
        ? pick(r, ['wide', 'wide', 'bandana'])
        : pick(r, ['plain', 'plain', 'stripe', 'bandana', 'plain', 'bow']),
    mouth: pick(r, ['tongue', 'smile', 'closed', 'tongue']),
    eyeSize: t.eyeSize * between(r, 0.95, 1.08),
    earTurn: t.earTurn + between(r, -5, 5),
    earLen: t.earLen * between(r, 0.95, 1.06),
    wide: t.wide * between(r, 0.98, 1.025),
    muzzleWide: t.muzzleWide * between(r, 0.95, 1.05),
    fluff: t.fluff * between(r, 0.9, 1.1),
  }
}
