// The glare of a holo sticker follows the pointer or the phone's tilt. Nothing else moves.

const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)')
const clamp = (value: number) => Math.max(-1, Math.min(1, value))

function setGlare(sticker: HTMLElement, x: number, y: number) {
  sticker.style.setProperty('--gx', clamp(x).toFixed(3))
  sticker.style.setProperty('--gy', clamp(y).toFixed(3))
}

let pendingFrame = 0
document.addEventListener(
  'pointermove',
  (event) => {
    if (pendingFrame || reducedMotion.matches || !(event.target instanceof Element)) return
    const sticker = event.target.closest<HTMLElement>('.holo')
    if (!sticker) return
    pendingFrame = requestAnimationFrame(() => {
      pendingFrame = 0
      const box = sticker.getBoundingClientRect()
      setGlare(
        sticker,
        ((event.clientX - box.left) / box.width) * 2 - 1,
        ((event.clientY - box.top) / box.height) * 2 - 1,
      )
    })
  },
  { passive: true },
)

// Phones that report their tilt without a permission prompt: iOS prompts, which a glare does not justify.
if (matchMedia('(pointer: coarse)').matches && document.querySelector('.holo'))
  addEventListener('deviceorientation', ({ gamma, beta }) => {
    if (reducedMotion.matches || gamma === null || beta === null || pendingFrame) return
    pendingFrame = requestAnimationFrame(() => {
      pendingFrame = 0
      for (const sticker of document.querySelectorAll<HTMLElement>('.holo'))
        setGlare(sticker, gamma / 30, (beta - 45) / 30)
    })
  })
