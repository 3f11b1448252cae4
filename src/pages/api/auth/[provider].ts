export { provider as GET } from '#features/auth/auth.http.ts'
