export { card as GET } from '#features/share/share.http.ts'
