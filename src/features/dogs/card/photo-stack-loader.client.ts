import { inBackground } from '#lib/background.client.ts'

// Loads the mouse controls of cards with several photos when the mouse first enters one.
function loadOnMouseOver(event: PointerEvent): void {
  if (event.pointerType !== 'mouse' || !(event.target as Element).closest?.('.dog-card .strip')) return
  document.removeEventListener('pointerover', loadOnMouseOver)
  inBackground(import('./photo-stack.client.ts'))
}
document.addEventListener('pointerover', loadOnMouseOver, { passive: true })
