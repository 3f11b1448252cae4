// Each strip repeats the contact that stands on the poster; without a script there are no strips.
const contact = document.querySelector<HTMLTextAreaElement>('#contacto')
const strips = document.querySelectorAll<HTMLElement>('[data-contact]')

const repeat = () => {
  for (const strip of strips) strip.textContent = contact?.value ?? ''
}
contact?.addEventListener('input', repeat)
repeat()
for (const choice of document.querySelectorAll<HTMLElement>('[data-needs-script]')) choice.hidden = false
