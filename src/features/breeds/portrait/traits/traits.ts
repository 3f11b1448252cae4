/** Facts to traits: everything the drawing needs, inferred, varied a little per breed, then corrected by hand. */
import portraits from '#data/portraits.json' with { type: 'json' }
import type { Family, Mark, TraitOverride, PortraitFacts, Traits } from '#features/breeds/portrait/types.ts'
import { coatKind, earKind, headFamily } from './head-family.ts'
import { headType } from './head-type.ts'
import { coloration, parseColours } from '#features/breeds/portrait/colour/coloration.ts'
import { between, pick, rng } from '#features/breeds/portrait/seeded-random.ts'
import { luma } from '#features/breeds/portrait/colour/colour-math.ts'

/** Traits that are set by hand, by slug. The breed's facts decide everything that a line does not name. */
const TRAIT_OVERRIDES = portraits.traits as unknown as Readonly<Record<string, TraitOverride>>

const COLLARS = ['#d4452a', '#2f7f86', '#2f6aa0', '#8a5aa8', '#d4578a', '#2d7a55', '#c47a12', '#3b4a74'] as const

const NOSE_DROP: Record<string, number> = { chata: -5, corta: -3, media: 0, larga: 4 }

/** Which of the breed's colours a picture shows: the first for the breed, any for an individual. */
export function chooseCoat(f: PortraitFacts, o: TraitOverride | undefined, individual?: string): string {
  const { coats } = parseColours(f.colores)
  if (individual !== undefined && coats.length > 1) {
    const r = rng(f.slug + individual + 'coat')
    if (r() < 0.62) return pick(r, coats)
  }
  return o?.colour ?? coats[0]
}

/** The canonical traits of a breed, in the coat colour given. */
export function breedTraits(given: PortraitFacts, individual?: string): Traits {
  if (given.slug === 'mestizo' && individual !== undefined) return mongrelTraits(given, individual)
  return inferTraits(given, TRAIT_OVERRIDES[given.slug], individual)
}

function inferTraits(f: PortraitFacts, o: TraitOverride | undefined, individual?: string): Traits {
  const r = rng(f.slug),
    fam = o?.family ?? headFamily(f),
    edge = o?.coat ?? coatKind(f, fam)
  const chosen = chooseCoat(f, o, individual),
    canonical = chosen === (o?.colour ?? parseColours(f.colores).coats[0])
  const { pal, marks } = coloration(chosen, fam, rng(f.slug + 'any' + (individual ?? '')))
  const facts = parseColours(f.colores),
    tall = f.altura_cm_max,
    heavy = f.peso_kg_max
  const hanging = f.orejas === 'caidas',
    wire = edge === 'wire',
    m: Mark[] = [...marks]
  if (facts.mask && luma(pal.base) > 0.4 && !m.includes('blaze')) m.push('mask')
  if (facts.white && !m.some((k) => /laze/.test(k))) m.push('blaze')
  if ((fam === 'molosser' || fam === 'flat') && edge === 'smooth') m.push('wrinkles')
  if (fam === 'molosser' && edge === 'smooth' && /leonado|rojo|amarillo|arena|albaricoque/.test(chosen)) m.push('mask')
  if (m.includes('mask')) pal.muzzle = pal.mask
  if (wire && m.some((k) => /laze/.test(k))) pal.beard = pal.light
  const head = o?.head ?? headType(f, fam, edge)
  const small = tall < 36,
    giant = heavy > 48
  const t: Traits = {
    family: fam,
    head,
    ear: o?.ear ?? earKind(f, fam, edge, head),
    earLen: between(r, 0.88, 1.12),
    earWide: between(r, 0.9, 1.1),
    earTurn: between(r, -6, 6),
    earUp: between(r, -3, 3),
    earOut: between(r, -1.2, 1.2),
    coat: edge,
    pal,
    marks: m,
    wide: between(r, 0.965, 1.035) * (small && fam !== 'apple' ? 1.03 : 1),
    muzzleWide: between(r, 0.93, 1.08),
    skull: between(r, 0.95, 1.05),
    jaw: between(r, 0.94, 1.06),
    crown: between(r, -3, 3),
    noseDrop:
      // A head of its own has its length already.
      (NOSE_DROP[f.hocico] ?? 0) *
        (head !== fam ? 0.25 : fam === 'flat' ? 0.4 : fam === 'sight' || fam === 'egg' ? 0.5 : 1) +
      between(r, -2, 2),
    noseSize: between(r, 0.94, 1.06),
    noseSplit: false,
    eyeSize: (small ? 1.1 : giant ? 0.9 : 1) * between(r, 0.97, 1.03),
    eyeOut: between(r, -1, 1),
    eyeUp: between(r, -1.5, 1.5),
    look:
      fam === 'spitz' || fam === 'primitive' || fam === 'egg'
        ? 'almond'
        : fam === 'hound' && /basset|huberto|napolitano/.test(f.slug)
          ? 'droopy'
          : fam === 'hound' || fam === 'spaniel' || fam === 'molosser'
            ? 'soft'
            : fam === 'terrier' || fam === 'pinscher'
              ? 'keen'
              : 'round',
    mouth: pick(
      r,
      fam === 'sight' || fam === 'primitive'
        ? ['closed', 'smile', 'smile']
        : fam === 'flat' || fam === 'molosser'
          ? ['closed', 'tongue', 'smile']
          : ['tongue', 'tongue', 'smile'],
    ),
    body: small ? 58 : tall < 48 ? 68 : giant ? 88 : 78,
    neck:
      fam === 'sight'
        ? 28
        : fam === 'molosser' || fam === 'flat' || fam === 'bull'
          ? 46
          : small
            ? 32
            : fam === 'primitive' || fam === 'poodle'
              ? 33
              : 39,
    beard: wire ? (/barba/.test(f.pelaje) ? 2 : 1) : /barba/.test(f.pelaje) || edge === 'shaggy' ? 1 : 0,
    beardLong: between(r, 0.92, 1.1),
    beardWide: between(r, 0.92, 1.08),
    brows: wire ? (/cejas|barba/.test(f.pelaje) ? 2 : 1) : 0,
    browLong: between(r, 0.9, 1.15),
    hair:
      edge === 'shaggy'
        ? 'fringe'
        : edge === 'silky'
          ? 'parting'
          : edge === 'corded'
            ? 'cords'
            : /copete|cresta, velo/.test(f.pelaje)
              ? 'topknot'
              : edge === 'curly'
                ? 'topknot'
                : edge === 'fluffy' || edge === 'mane'
                  ? 'tuft'
                  : 'none',
    fluff: between(r, 0.88, 1.12),
    scale: 1,
    collar: pick(r, COLLARS),
    tag: '#f5c542',
    collarKind: fam === 'sight' ? 'wide' : 'plain',
    tilt: 0,
    turn: 0,
    aside: 0,
    near: 1,
    tail: f.cola === 'enroscada' && !hanging && (fam === 'spitz' || fam === 'primitive') ? 'curl' : 'none',
    jowl: false,
    seed: f.slug,
  }
  if (f.slug.startsWith('podenco') || t.ear === 'tall') t.scale = 0.95
  return o ? applyOverride(t, o, canonical) : t
}

/** No two mongrels look alike: head, ears, coat and colour all come from the individual. */
function mongrelTraits(f: PortraitFacts, individual: string): Traits {
  const r = rng('mongrel' + individual),
    big = r() < 0.55
  const mixed: PortraitFacts = {
    ...f,
    slug: 'mestizo-' + individual,
    orejas: pick(r, ['caidas', 'semierectas', 'erguidas', 'caidas']),
    hocico: pick(r, ['media', 'larga', 'corta']),
    cola: 'larga',
    colores: pick(r, [
      'canela',
      'negro y fuego',
      'negro y blanco',
      'tricolor',
      'atigrado',
      'blanco con manchas',
      'leonado',
      'chocolate',
      'crema',
      'gris',
      'blanco y canela',
      'leonado carbonado',
      'negro',
      'mirlo azul',
    ]),
    pelaje: pick(r, [
      'corto, liso',
      'corto, liso',
      'medio, denso, doble capa',
      'largo, ondulado',
      'duro, de alambre, barba',
      'rizado',
    ]),
    altura_cm_max: big ? 58 : 34,
    peso_kg_max: big ? 26 : 9,
  }
  return inferTraits(mixed, {
    family: pick<Family>(r, [
      'gundog',
      'shepherd',
      'terrier',
      'pinscher',
      'spaniel',
      'primitive',
      'hound',
      'round',
      'bull',
    ]),
  })
}

/** Corrections by hand. Palette and markings only hold for the colour they were written for. */
function applyOverride(t: Traits, o: TraitOverride, canonical: boolean): Traits {
  const { pal, add, drop, marks, colour: _, ...rest } = o
  // In another colour only what belongs to the breed's build stays.
  const own = canonical
    ? (marks ?? t.marks)
    : [...t.marks, ...(marks ?? []).filter((m) => /folds|wrinkles|ask$/.test(m))]
  const list = [...new Set([...own, ...(add ?? [])])].filter((m) => !drop?.includes(m))
  const mine = canonical ? { ...t.pal, ...pal } : t.pal
  if (list.some((m) => /ask/.test(m)) && !pal?.muzzle) mine.muzzle = mine.mask
  return { ...t, ...rest, pal: mine, marks: list }
}
