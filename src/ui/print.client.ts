// `[data-print]` opens the browser's own dialog. Without a script it stays hidden: there is the browser's menu.
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => print())
}
