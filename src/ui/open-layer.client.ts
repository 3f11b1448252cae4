import { inBackground } from '#lib/background.client.ts'
import type { Layer } from './layers.client.ts'

/** Lets Back close a layer that has just opened, which is no dialog and no popover. */
export const openLayer = (layer: Layer): void =>
  inBackground(import('./layers.client.ts').then(({ addLayer }) => addLayer(layer)))
