// A file dropped beside a field would open in the page's place, with whatever was typed. Fields that take files, and the open form
// (features/dogs/form), have taken theirs before the event comes here.

const refuseFiles = (event: DragEvent) => {
  if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
  if (event.target instanceof Element && event.target.closest('input[type=file]')) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'none'
}
addEventListener('dragover', refuseFiles)
addEventListener('drop', refuseFiles)
