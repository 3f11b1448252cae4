import { inBackground } from '#lib/background.client.ts'

// What a mouse does to a stack of photos comes once there is a mouse over one.
function loadOnMouseOver(event: PointerEvent): void {
  if (event.pointerType !== 'mouse' || !(event.target as Element).closest?.('.dog-card .strip')) return
  document.removeEventListener('pointerover', loadOnMouseOver)
  inBackground(import('./photo-stack.client.ts'))
}
document.addEventListener('pointerover', loadOnMouseOver, { passive: true })
