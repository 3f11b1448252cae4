import { SOUND_KEY } from './likes.ts'

// The `[data-sound]` switch of the sidebar: whether likes sound, remembered on this device. It is drawn for «on».

const readSound = () => localStorage.getItem(SOUND_KEY) !== 'off'

function paint(isOn: boolean): void {
  for (const button of document.querySelectorAll('[data-sound]')) button.ariaPressed = String(isOn)
}

try {
  paint(readSound())
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || !event.target.closest('[data-sound]')) return
    if (readSound()) localStorage.setItem(SOUND_KEY, 'off')
    else localStorage.removeItem(SOUND_KEY)
    paint(readSound())
  })
  window.addEventListener('storage', ({ key }) => key === SOUND_KEY && paint(readSound()))
} catch {
  // What cannot be remembered is not offered.
  for (const button of document.querySelectorAll<HTMLElement>('[data-sound]')) button.hidden = true
}
