export { getHiddenPhoto as GET } from '#features/reports/hidden/hidden-photos.http.ts'
