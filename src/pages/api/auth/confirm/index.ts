export { send as POST } from '#features/auth/confirm.http.ts'
