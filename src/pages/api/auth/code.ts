export { code as POST } from '#features/auth/auth.http.ts'
