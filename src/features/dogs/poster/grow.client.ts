// Repeats what is typed in a field behind it (poster.css), for engines without `field-sizing`, on paper as well.
for (const box of document.querySelectorAll<HTMLElement>('.grow')) {
  const field = box.querySelector('textarea')!
  const repeat = () => (box.dataset.text = field.value)
  field.addEventListener('input', repeat)
  repeat()
}
