export { photo as GET } from '#features/album/operator.http.ts'
