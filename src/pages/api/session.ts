export { session as GET } from '#features/account/frame.http.ts'
