export { downloadExport as GET } from '#features/account/export/export.http.ts'
