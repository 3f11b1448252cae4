import { loadStylesheet } from '#ui/stylesheet.client.ts'
import styles from './loading-frame.css?url'

// The dialog without its fields: it stands from the tap that wakes the form's island until the form's code has come and
// DogDialog.tsx takes its place (frame.ts). It comes after the page, not with it: no page shows it before a tap.

const ICON = '<svg class="lucide" viewBox="0 0 24 24" aria-hidden="true"><path d="M18 6 6 18M6 6l12 12"/></svg>'
const OPEN_FAILED_TEXT = 'No se pudo abrir el formulario. Comprueba tu conexión y vuelve a intentarlo.'

const frame = document.createElement('dialog')
frame.className = 'dlg df-frame'
frame.setAttribute('aria-labelledby', 'df-frame-title')
frame.innerHTML = `<div class="dlg-head"><h2 id="df-frame-title"></h2>
<button class="btn icon ghost" type="button" data-dialog-close aria-label="Cerrar">${ICON}</button></div>
<p class="df-frame-failed" role="alert"></p>
<div class="df-bones" role="status"><span class="sr">Cargando…</span>${'<i></i>'.repeat(8)}</div>`
const failureText = frame.querySelector('p')!
let isWaiting = false

function showFrame(trigger: HTMLElement): void {
  isWaiting = true
  failureText.textContent = ''
  frame.querySelector('h2')!.textContent = 'editDog' in trigger.dataset ? 'Editar perro' : 'Añadir perro'
  if (!frame.open) frame.showModal()
}

async function connectFrame(island: Element): Promise<void> {
  await loadStylesheet(styles)
  document.body.append(frame)
  island.addEventListener('island:waking', (event) => showFrame((event as FocusEvent).relatedTarget as HTMLElement))
  // Before the directive plays the click again: what closes the frame from here on is the form.
  island.addEventListener('island:ready', () => (isWaiting = false), { capture: true })
  island.addEventListener('island:asleep', () => {
    isWaiting = false
    failureText.textContent = OPEN_FAILED_TEXT
  })
  frame.addEventListener('close', () => {
    if (isWaiting) island.dispatchEvent(new Event('island:never-mind'))
    isWaiting = false
  })
  const early = document.querySelector<HTMLElement>(
    ':is([data-add-dog], [data-edit-dog], [data-edit-queued])[aria-busy=true]',
  )
  if (early) showFrame(early)
}

const island = document.querySelector('astro-island[component-export][client=demand][component-url*="DogForm"]')
// Without `ssr` it is awake already, and opens by itself.
if (island?.hasAttribute('ssr')) void connectFrame(island)
