// A press on «Denunciar» opens the report page in a dialog. Without script, or with a modifier key, it stays a link.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[data-report]')
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  import('./report-dialog.client.ts').then(
    ({ openReportDialog }) => openReportDialog(link.href),
    () => location.assign(link.href),
  )
})
