export { prove as POST } from '#features/auth/confirm.http.ts'
