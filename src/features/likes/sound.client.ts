import { SOUND_KEY } from './likes.ts'

// The `[data-sound]` switch of the sidebar: whether likes sound, stored on this device. The server renders it as «on».

const isSoundOn = () => localStorage.getItem(SOUND_KEY) !== 'off'

function paintSwitches(isOn: boolean): void {
  for (const button of document.querySelectorAll('[data-sound]')) button.ariaPressed = String(isOn)
}

try {
  paintSwitches(isSoundOn())
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || !event.target.closest('[data-sound]')) return
    if (isSoundOn()) localStorage.setItem(SOUND_KEY, 'off')
    else localStorage.removeItem(SOUND_KEY)
    paintSwitches(isSoundOn())
  })
  window.addEventListener('storage', ({ key }) => key === SOUND_KEY && paintSwitches(isSoundOn()))
} catch {
  // Without storage the switch is hidden.
  for (const button of document.querySelectorAll<HTMLElement>('[data-sound]')) button.hidden = true
}
