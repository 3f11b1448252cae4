export { session as GET } from '#features/account/current-session.http.ts'
