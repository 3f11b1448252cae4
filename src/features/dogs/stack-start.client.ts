import { inBackground } from '#lib/background.client.ts'

// What a mouse does to a stack of photos comes once there is a mouse over one.
function start(event: PointerEvent): void {
  if (event.pointerType !== 'mouse' || !(event.target as Element).closest?.('.dog-card .strip')) return
  document.removeEventListener('pointerover', start)
  inBackground(import('./stack.client.ts'))
}
document.addEventListener('pointerover', start, { passive: true })
