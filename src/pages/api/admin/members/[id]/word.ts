export { word as POST } from '#features/admin/admin.http.ts'
