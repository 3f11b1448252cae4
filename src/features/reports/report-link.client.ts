import { findClicked } from '#lib/plain-click.ts'

// A press on «Denunciar» opens the report page in a dialog. Without script, or with a modifier key, it stays a link.
document.addEventListener('click', (event) => {
  const link = findClicked(event, 'a[data-report]')
  if (!link) return
  event.preventDefault()
  import('./report-dialog.client.ts').then(
    ({ openReportDialog }) => openReportDialog(link.href),
    () => location.assign(link.href),
  )
})
