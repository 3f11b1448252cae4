// Repeats the poster's contact on each strip. The strips need this script.
const contact = document.querySelector<HTMLTextAreaElement>('#contacto')
const strips = document.querySelectorAll<HTMLElement>('[data-contact]')

const repeatContact = () => {
  for (const strip of strips) strip.textContent = contact?.value ?? ''
}
contact?.addEventListener('input', repeatContact)
repeatContact()
for (const choice of document.querySelectorAll<HTMLElement>('[data-needs-script]')) choice.hidden = false
