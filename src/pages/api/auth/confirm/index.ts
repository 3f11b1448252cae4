export { confirmIdentity as POST } from '#features/auth/recent-auth/recent-auth.http.ts'
