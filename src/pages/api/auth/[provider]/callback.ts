export { handleCallback as GET, handleCallback as POST } from '#features/auth/oauth/oauth.http.ts'
