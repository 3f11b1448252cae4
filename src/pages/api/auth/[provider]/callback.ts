export { callback as GET, callback as POST } from '#features/auth/oauth/oauth.http.ts'
