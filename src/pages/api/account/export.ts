export { download as GET } from '#features/account/export.http.ts'
