import { sendWithProof } from '#features/moderation/proof-of-work/with-proof.client.ts'
import { PHOTO_MAX_MB, PHOTO_MAX_SIDE_PX } from '#features/photos/photos.ts'
import { inBackground } from '#lib/background.client.ts'
import { fetchOrExplain } from '#lib/http/fetch-or-explain.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { MINUTE_MS } from '#lib/time.ts'

// «Hacer foto», «Estoy aquí ahora», «Enviar»: three presses. Without it the form is sent as it is.

const TEXTS = {
  locating: 'Buscando dónde estás…',
  located: 'Tenemos el sitio. Solo lo verá su familia.',
  refused: 'No hemos podido saber dónde estás: escribe el pueblo o el barrio.',
  again: 'Cambiar la foto',
  failed: 'No se ha podido enviar. Inténtalo de nuevo.',
}
/** A fix that is older than this is looked for anew. */
const FIX_MAX_AGE_MS = MINUTE_MS
const FIX_TIMEOUT_MS = 20_000
/** One form is sent once, however often it is pressed. */
const requestKey = crypto.randomUUID()
const SEND_TIMEOUT_MS = 2 * MINUTE_MS

function prepareForm(form: HTMLFormElement): void {
  const find = <T extends HTMLElement>(selector: string) => form.querySelector<T>(selector)!
  const [lat, lon] = [find<HTMLInputElement>('[data-lat]'), find<HTMLInputElement>('[data-lon]')]
  const status = find('[data-here-status]')
  const here = find<HTMLButtonElement>('[data-here]')
  const file = find<HTMLInputElement>('input[type=file]')
  const preview = find<HTMLImageElement>('[data-preview]')
  const problem = find('[data-problem]')
  const send = find<HTMLButtonElement>('[data-send]')
  form.dataset.ready = ''

  if ('geolocation' in navigator) {
    here.hidden = false
    here.addEventListener('click', () => {
      status.textContent = TEXTS.locating
      navigator.geolocation.getCurrentPosition(
        ({ coords }) => {
          lat.value = coords.latitude.toFixed(6)
          lon.value = coords.longitude.toFixed(6)
          status.textContent = TEXTS.located
        },
        () => (status.textContent = TEXTS.refused),
        { enableHighAccuracy: true, maximumAge: FIX_MAX_AGE_MS, timeout: FIX_TIMEOUT_MS },
      )
    })
  }
  // Who then types a place means that one.
  find<HTMLInputElement>('[data-zone]').addEventListener('input', () => {
    lat.value = lon.value = status.textContent = ''
  })
  file.addEventListener('change', () => {
    URL.revokeObjectURL(preview.src)
    const [photo] = file.files ?? []
    preview.hidden = !photo
    if (photo) preview.src = URL.createObjectURL(photo)
    find('[data-photo-label]').textContent = photo ? TEXTS.again : 'Hacer foto'
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    problem.hidden = true
    send.disabled = true
    send.setAttribute('aria-busy', 'true')
    const show = (sentence: string) => {
      problem.textContent = sentence
      problem.hidden = false
      problem.scrollIntoView({ block: 'nearest' })
    }
    inBackground(
      sendForm(form)
        .then((sentence) => (sentence === null ? undefined : show(sentence)))
        .catch((error: unknown) => show(error instanceof Error ? error.message : TEXTS.failed))
        .finally(() => {
          send.disabled = false
          send.removeAttribute('aria-busy')
        }),
    )
  })
}

/** @returns why it was refused; null once it is sent, when the page of thanks opens */
async function sendForm(form: HTMLFormElement): Promise<string | null> {
  const { dogId = '' } = form.dataset
  const body = new FormData(form)
  const photo = body.get('photo')
  if (photo instanceof File && photo.size > 0) body.set('photo', await shrink(photo), 'foto.jpg')
  const { status, body: answer } = await sendWithProof(async (headers) => {
    const response = await fetchOrExplain(lostPaths.api.sightings(dogId), {
      method: 'POST',
      body,
      headers: { Accept: 'application/json', 'Idempotency-Key': requestKey, ...headers },
      signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
    })
    return { status: response.status, body: (await response.json().catch(() => null)) as { detail?: string } | null }
  })
  if (status === 201) {
    location.assign(`${lostPaths.sightingForm(dogId)}?hecho=enviado`)
    return null
  }
  return answer?.detail ?? TEXTS.failed
}

/** A photo as small as it is stored, where the browser can read it; the server says what is wrong with any other. */
async function shrink(photo: File): Promise<File> {
  try {
    const { compress } = await import('#features/photos/compress.client.ts')
    return await compress(photo, PHOTO_MAX_MB, PHOTO_MAX_SIDE_PX, () => {})
  } catch {
    return photo
  }
}

for (const form of document.querySelectorAll<HTMLFormElement>('[data-sighting-form]')) prepareForm(form)
