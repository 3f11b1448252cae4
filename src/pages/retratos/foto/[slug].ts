export { photo as GET } from '#features/album/operator-photo.http.ts'
