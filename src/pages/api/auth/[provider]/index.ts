export { startOauth as GET } from '#features/auth/oauth/oauth.http.ts'
