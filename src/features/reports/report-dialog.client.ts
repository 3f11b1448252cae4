import { randomId } from '#lib/identifiers.ts'
import { paths } from '#lib/paths.ts'
import { openDialog } from '#ui/dialog.client.ts'
import { loadStylesheet } from '#ui/stylesheet.client.ts'
import { toast } from '#ui/toast/toast.client.ts'
import styles from './reports.css?url'

const CLOSE_ICON = '<svg class="lucide" viewBox="0 0 24 24" aria-hidden="true"><path d="M18 6 6 18M6 6l12 12"/></svg>'
const stylesLoaded = loadStylesheet(styles)
const CONNECTION_ERROR = 'No se pudo conectar con el servidor.'

/** Shows the report page at `address` in a dialog, removed on close; navigates there where it cannot be loaded. */
export async function openReportDialog(address: string): Promise<void> {
  const [page] = await Promise.all([fetchReportPage(address).catch(() => null), stylesLoaded])
  if (!page) return location.assign(address)
  const dialog = document.createElement('dialog')
  dialog.className = 'dlg'
  dialog.dataset.dialogFirm = ''
  const title = page.querySelector('h1')!
  dialog.innerHTML = `<div class="row dlg-head"><h2 id="report-title"></h2>
<button class="btn icon ghost" type="button" data-dialog-close aria-label="Cerrar">${CLOSE_ICON}</button></div>
<div class="dlg-body" data-scroll tabindex="0" role="group" aria-labelledby="report-title"></div>`
  dialog.setAttribute('aria-labelledby', 'report-title')
  dialog.querySelector('h2')!.textContent = title.textContent
  title.remove()
  const body = dialog.querySelector('.dlg-body')!
  body.append(...page.childNodes)
  dialog.addEventListener('close', () => dialog.remove())
  body.querySelector<HTMLFormElement>('[data-report-form]')?.addEventListener('submit', (event) => {
    event.preventDefault()
    void submitReport(event.currentTarget as HTMLFormElement, dialog)
  })
  document.body.append(dialog)
  openDialog(dialog)
}

async function fetchReportPage(address: string): Promise<Element | null> {
  const response = await fetch(address, { headers: { Accept: 'text/html' } })
  const document = new DOMParser().parseFromString(await response.text(), 'text/html')
  return document.querySelector('[data-report-page]')
}

/** Submits the form by fetch and shows an error in place. */
async function submitReport(form: HTMLFormElement, dialog: HTMLDialogElement): Promise<void> {
  const button = form.querySelector<HTMLButtonElement>('[type=submit]')!
  const errorBox = form.querySelector<HTMLElement>('[data-report-error]')!
  if (button.disabled) return
  button.disabled = true
  const words = form.querySelector<HTMLTextAreaElement>('[name=words]')!
  errorBox.hidden = true
  words.removeAttribute('aria-invalid')
  const text = (name: string) => String(new FormData(form).get(name) ?? '')
  const photo = text('photo')
  const target = photo ? { kind: 'photo', id: photo } : { kind: text('kind'), id: text('id') }
  const body = JSON.stringify({ ...target, reason: text('reason'), words: text('words') })
  // What says something else is another report.
  if (form.dataset.body !== body) Object.assign(form.dataset, { body, key: randomId() })
  const { key = '' } = form.dataset
  let detail = CONNECTION_ERROR
  try {
    const response = await fetch(paths.api.reports, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', Accept: 'application/json', 'Idempotency-Key': key },
    })
    const answer = (await response.json()) as { detail: string; errors?: { words?: string } }
    detail = answer.detail
    if (response.ok) {
      dialog.close()
      toast({ title: detail, kind: 'success' })
      return
    }
    if (answer.errors?.words) {
      words.setAttribute('aria-invalid', 'true')
      words.setAttribute('aria-describedby', 'report-hint report-error')
      words.focus()
    }
  } catch {
    // The error is shown below.
  }
  errorBox.querySelector('span')!.textContent = detail
  errorBox.hidden = false
  button.disabled = false
}
