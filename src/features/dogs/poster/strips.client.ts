// Each strip repeats the contact that stands on the poster; without a script there are no strips.
const contact = document.querySelector<HTMLTextAreaElement>('#contacto')
const strips = document.querySelectorAll<HTMLElement>('[data-contact]')

const repeatContact = () => {
  for (const strip of strips) strip.textContent = contact?.value ?? ''
}
contact?.addEventListener('input', repeatContact)
repeatContact()
for (const choice of document.querySelectorAll<HTMLElement>('[data-needs-script]')) choice.hidden = false
