export { activity as GET } from '#features/account/frame.http.ts'
