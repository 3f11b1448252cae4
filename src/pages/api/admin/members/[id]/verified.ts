export { verified as PUT, verified as POST } from '#features/admin/admin.http.ts'
