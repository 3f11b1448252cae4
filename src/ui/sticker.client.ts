// The glare of a holo sticker follows the pointer, or the tilt of the phone. Nothing else moves (look/README.md, Holo).

const still = matchMedia('(prefers-reduced-motion: reduce)')
const clamp = (value: number) => Math.max(-1, Math.min(1, value))

function glare(sticker: HTMLElement, x: number, y: number) {
  sticker.style.setProperty('--gx', clamp(x).toFixed(3))
  sticker.style.setProperty('--gy', clamp(y).toFixed(3))
}

let pending = 0
document.addEventListener(
  'pointermove',
  (event) => {
    if (pending || still.matches || !(event.target instanceof Element)) return
    const sticker = event.target.closest<HTMLElement>('.holo')
    if (!sticker) return
    pending = requestAnimationFrame(() => {
      pending = 0
      const box = sticker.getBoundingClientRect()
      glare(sticker, ((event.clientX - box.left) / box.width) * 2 - 1, ((event.clientY - box.top) / box.height) * 2 - 1)
    })
  },
  { passive: true },
)

// Phones that tell their tilt unasked (iOS asks first, and a glare is no reason to ask).
if (matchMedia('(pointer: coarse)').matches && document.querySelector('.holo'))
  addEventListener('deviceorientation', ({ gamma, beta }) => {
    if (still.matches || gamma === null || beta === null || pending) return
    pending = requestAnimationFrame(() => {
      pending = 0
      for (const sticker of document.querySelectorAll<HTMLElement>('.holo'))
        glare(sticker, gamma / 30, (beta - 45) / 30)
    })
  })
