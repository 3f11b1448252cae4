import { loadStylesheet } from '#ui/stylesheet.client.ts'
import styles from './loading-frame.css?url'

// The dialog without its fields, shown from the tap that loads the form's island until the form's code has loaded and
// DogDialog.tsx replaces it. It loads after the page, since no page shows it before a tap.

const ICON = '<svg class="lucide" viewBox="0 0 24 24" aria-hidden="true"><path d="M18 6 6 18M6 6l12 12"/></svg>'
const OPEN_FAILED_TEXT = 'No se pudo abrir el formulario. Comprueba tu conexión y vuelve a intentarlo.'

const frame = document.createElement('dialog')
frame.className = 'dlg df-frame'
frame.setAttribute('aria-labelledby', 'df-frame-title')
frame.innerHTML = `<div class="row dlg-head"><h2 id="df-frame-title"></h2>
<button class="btn icon ghost" type="button" data-dialog-close aria-label="Cerrar">${ICON}</button></div>
<p class="df-frame-failed" role="alert"></p>
<div class="df-bones" role="status"><span class="sr">Cargando…</span>${'<i></i>'.repeat(8)}</div>`
const failureText = frame.querySelector('p')!

function showFrame(trigger: HTMLElement): void {
  failureText.textContent = ''
  frame.querySelector('h2')!.textContent = 'editDog' in trigger.dataset ? 'Editar perro' : 'Añadir perro'
  if (!frame.open) frame.showModal()
}

async function connectFrame(island: Element): Promise<void> {
  await loadStylesheet(styles)
  document.body.append(frame)
  island.addEventListener('island:hydrating', (event) => showFrame((event as FocusEvent).relatedTarget as HTMLElement))
  island.addEventListener('island:failed', () => (failureText.textContent = OPEN_FAILED_TEXT))
  // Cancels the click that waits for the form. When the form itself closes the frame, none waits any more.
  frame.addEventListener('close', () => island.dispatchEvent(new Event('island:cancel')))
  const pendingTrigger = document.querySelector<HTMLElement>(
    ':is([data-add-dog], [data-edit-dog], [data-edit-queued])[aria-busy=true]',
  )
  if (pendingTrigger) showFrame(pendingTrigger)
}

// Without `ssr` the island is hydrated already and opens the form itself.
const island = document.querySelector('[component-url*=DogForm][ssr]')
if (island) void connectFrame(island)
