export { session as GET } from '#features/account/session.http.ts'
