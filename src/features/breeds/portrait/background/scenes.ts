/** Flat backgrounds that stand in for a photo's place. 200 × 200, quiet behind the head. */
import portraits from '#data/portraits.json' with { type: 'json' }
import type { Scene } from '#features/breeds/portrait/types.ts'

const SCENE_ART: Record<Scene, string> = portraits.scenes

export const SCENES: readonly Scene[] = Object.keys(SCENE_ART) as Scene[]

/** The scene's drawing. */
export const drawScene = (s: Scene): string => SCENE_ART[s]
