export { getSession as GET } from '#features/account/session-info.http.ts'
