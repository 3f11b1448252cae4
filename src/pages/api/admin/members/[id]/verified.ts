export { setMemberVerified as PUT, setMemberVerified as POST } from '#features/admin/admin.http.ts'
