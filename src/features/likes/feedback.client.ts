import { openDialog } from '#ui/dialog.client.ts'
import { loadStylesheet } from '#ui/stylesheet.client.ts'
import { paths } from '#lib/paths.ts'
import { SOUND_KEY } from './likes.ts'
import stylesheetUrl from './likes.css?url'

void loadStylesheet(stylesheetUrl)

/** How long the tongue and «Quitado!» are shown, ms, and the gain of the sound (docs/product.md §13.1). */
const SHOWN_MS = 1000
const VOLUME = 0.7

/** A dog's open mouth with its tongue out. */
const TONGUE = `<svg viewBox="0 0 120 150" aria-hidden="true">
<path class="mouth" d="M6 26Q60 -6 114 26Q112 62 60 64Q8 62 6 26Z"/>
<path class="lick" d="M27 38Q60 26 93 38L95 98Q95 142 60 142Q25 142 25 98Z"/>
<path class="shade" d="M60 44Q57 80 60 112"/>
<path class="shine" d="M38 58Q36 84 38 104"/>
</svg>`

let shown: HTMLElement | undefined
let timer: ReturnType<typeof setTimeout> | undefined

function showFeedback(className: string, fill: (box: HTMLElement) => void): void {
  shown?.remove()
  clearTimeout(timer)
  const box = document.createElement('div')
  box.className = `like-shown ${className}`
  fill(box)
  document.body.append(box)
  shown = box
  timer = setTimeout(() => box.remove(), SHOWN_MS)
}

const VIBRATION_MS = 15

/** Vibrates phones that can, unless likes are silent. Vibration is motion, so not under prefers-reduced-motion. */
function vibrate(): void {
  if (isSilent() || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  navigator.vibrate?.(VIBRATION_MS)
}

/** Shows the big tongue, with the sound of a lick and a short vibration. */
export function showTongue(): void {
  showFeedback('tongue', (box) => {
    box.innerHTML = TONGUE
  })
  playLick()
  vibrate()
}

export function showRemoved(): void {
  showFeedback('removed', (box) => {
    box.setAttribute('role', 'status')
    const label = document.createElement('span')
    label.textContent = 'Quitado!'
    box.append(label)
  })
}

/** Whether the sound switch is off. Reduced motion does not matter here. */
function isSilent(): boolean {
  try {
    return localStorage.getItem(SOUND_KEY) === 'off'
  } catch {
    return false
  }
}

let audio: AudioContext | undefined

/** Plays two quick rising tones, unless the sound is switched off. A browser without audio stays silent. */
export function playLick(): void {
  if (isSilent()) return
  try {
    audio ??= new AudioContext()
    // A phone call, or a page in the background, suspends the context.
    if (audio.state !== 'running') void audio.resume()
    const start = audio.currentTime
    const volume = audio.createGain()
    volume.gain.value = VOLUME
    volume.connect(audio.destination)
    for (const [at, from, to] of [
      [0, 260, 720],
      [0.13, 340, 980],
    ] as const) {
      const tone = audio.createOscillator()
      const swell = audio.createGain()
      tone.type = 'sine'
      tone.frequency.setValueAtTime(from, start + at)
      tone.frequency.exponentialRampToValueAtTime(to, start + at + 0.11)
      swell.gain.setValueAtTime(0.0001, start + at)
      swell.gain.exponentialRampToValueAtTime(0.6, start + at + 0.03)
      swell.gain.exponentialRampToValueAtTime(0.0001, start + at + 0.14)
      tone.connect(swell).connect(volume)
      tone.start(start + at)
      tone.stop(start + at + 0.15)
    }
  } catch {
    audio = undefined
  }
}

let prompt: HTMLDialogElement | undefined

/** Opens a dialog that asks a visitor to sign in, who then likes the dog. */
export function promptLogin(dogId: string): void {
  prompt ??= createPrompt()
  prompt.querySelector<HTMLInputElement>('[name=id]')!.value = dogId
  openDialog(prompt)
}

function createPrompt(): HTMLDialogElement {
  const dialog = document.createElement('dialog')
  dialog.className = 'dlg like-prompt'
  dialog.setAttribute('aria-labelledby', 'like-prompt-title')
  dialog.innerHTML = `<div class="row dlg-head"><h2 id="like-prompt-title">Inicia sesión para dar un like</h2></div>
<div class="dlg-body"><p>Con tu cuenta guardas los perros que te gustan y los encuentras en tu perfil.</p></div>
<form class="row dlg-foot" method="post" action="${paths.api.intent}"><input type="hidden" name="id">
<button class="btn" type="button" data-dialog-close>Ahora no</button><button class="btn pri" name="act" value="like">Iniciar sesión</button></form>`
  document.body.append(dialog)
  return dialog
}
