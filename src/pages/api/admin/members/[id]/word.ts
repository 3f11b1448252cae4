export { messageMember as POST } from '#features/admin/admin.http.ts'
